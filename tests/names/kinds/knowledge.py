"""Kinds that rest on what people know: short forms of given names, names in Latin letters."""

from itertools import product

from tests.names.kinds import Kind
from tests.names.kinds.people import family

_NICKNAMES = """
Alexander Alex, Alexandra Sandra, Andrew Andy, Andrew Drew, Arthur Art, Albert Bert, Alfred
Fred, Barbara Babs, Benjamin Ben, Bernard Bernie, Beatrice Bea, Catherine Cathy, Caroline
Carrie, Charles Charlie, Charles Chuck, Christopher Chris, Christine Tina, Cynthia Cindy, Daniel
Dan, Daniel Danny, David Dave, Deborah Debbie, Donald Don, Dorothy Dot, Douglas Doug, Edward Ed,
Edward Ted, Eleanor Nell, Eleanor Ellie, Elizabeth Beth, Elizabeth Betty, Eugene Gene, Florence
Flo, Frances Fran, Francis Frank, Frederick Fred, Geoffrey Geoff, George Georgie, Gerald Gerry,
Gregory Greg, Harold Harry, Henry Hank, Henry Harry, Isabella Bella, Jacob Jake, Jacqueline
Jackie, James Jim, James Jimmy, Janet Jan, Jeffrey Jeff, Jennifer Jenny, Jessica Jess, John
Jack, John Johnny, Joseph Joe, Joshua Josh, Judith Judy, Katherine Kate, Katherine Katie,
Kathleen Kathy, Kenneth Ken, Kimberly Kim, Lawrence Larry, Leonard Len, Louise Lou, Margaret
Maggie, Margaret Peggy, Margaret Meg, Mary Molly, Mary Polly, Matthew Matt, Maximilian Max,
Michael Mike, Michael Mick, Nancy Nan, Nathaniel Nat, Nicholas Nick, Nicholas Nico, Patricia
Pat, Patricia Trish, Patrick Paddy, Pamela Pam, Peter Pete, Philip Phil, Rachel Rae, Raymond
Ray, Rebecca Becky, Richard Dick, Richard Rick, Robert Bob, Robert Rob, Robert Bobby, Ronald
Ron, Rosemary Rosie, Rudolph Rudy, Russell Russ, Samuel Sam, Sarah Sally, Stephanie Steph,
Stephen Steve, Steven Steve, Susan Sue, Susannah Susie, Theodore Ted, Theresa Tess, Thomas Tom,
Thomas Tommy, Timothy Tim, Valerie Val, Victoria Vicky, Vincent Vince, Walter Walt, William
Will, William Billy, William Liam, Zachary Zach, Abigail Abby, Anthony Tony, Augustus Gus,
Clifford Cliff, Dominic Dom, Gabriel Gabe, Josephine Josie, Leonardo Leo, Madeline Maddie,
Melissa Mel, Millicent Millie, Penelope Penny, Quentin Quinn, Reginald Reg, Sebastian Seb,
Sidney Sid, Stanley Stan, Terence Terry, Veronica Ronnie, Wilfred Wilf, Johannes Hans, Friedrich
Fritz, Josef Sepp, Heinrich Heinz, Wilhelm Willi, Magdalena Lena, Elisabeth Lisa, Katharina
Kathi, Maximilian Maxi, Ludwig Lutz, Sebastian Basti, Matthias Matze, Susanne Susi, Gabriele
Gabi, Francisco Paco, Ignacio Nacho, Enrique Quique, Manuel Manolo, Dolores Lola, Concepcion
Concha, Jesus Chuy, Guadalupe Lupe, Roberto Beto, Rosario Charo, Alejandro Alex, Giuseppe Beppe,
Giovanni Gianni, Luigi Gigi, Domenico Mimmo, Salvatore Toto, Antonio Toni, Lorenzo Renzo,
Jean-Pierre Pierre, Frederic Fred, Philippe Phil, Veronique Vero, Aleksandr Sasha, Dmitri Dima,
Vladimir Volodya, Mikhail Misha, Nikolai Kolya, Ekaterina Katya, Tatiana Tanya, Natalia Natasha,
Yevgeny Zhenya, Anastasia Nastya, Georgios Giorgos, Konstantinos Kostas, Dimitrios Dimitris,
Ioannis Yannis, Cornelis Kees, Hendrik Henk, Jozef Jos
"""
_GIVEN_SPELT = """
Mohammed Muhammad, Hussein Husayn, Yousef Yusuf, Khalil Khaleel, Tareq Tarik, Osama Usama,
Sulaiman Suleyman, Abdullah Abdallah, Jamal Gamal, Sayed Said, Omar Umar, Ibrahim Ebrahim
"""
_FAMILY_SPELT = """
Haddad Hadad, Nasser Nasir, Mansour Mansoor, Qasim Kassem, Rasheed Rashid, Saleh Salih, Faruq
Farouk, Hashimi Hashemi, Khalifa Khaleefa, Zaki Zakki, Darwish Darweesh, Masood Massoud, Younis
Yunus
"""
_SCRIPTS = """
Иван Сидоров | Ivan Sidorov, Мария Кузнецова | Maria Kuznetsova, Сергей Волков |
Sergey Volkov, Андрей Морозов | Andrey Morozov, Ольга Соколова | Olga Sokolova,
Павел Лебедев | Pavel Lebedev, Наталья Орлова | Natalia Orlova, Виктор Зайцев |
Viktor Zaytsev, Анна Белова | Anna Belova, Николай Крылов | Nikolai Krylov,
Татьяна Громова | Tatiana Gromova, Игорь Фролов | Igor Frolov, Юлия Никитина |
Yulia Nikitina, Олег Тарасов | Oleg Tarasov, Петро Шевченко | Petro Shevchenko,
Оксана Бондаренко | Oksana Bondarenko, Тарас Мельник | Taras Melnyk, Ирина
Гусева | Irina Guseva, Богдан Коваленко | Bohdan Kovalenko, Георги Димитров |
Georgi Dimitrov, Ивайло Петков | Ivaylo Petkov, Стефан Иванов | Stefan Ivanov,
Милан Јовановић | Milan Jovanovic, Драган Николић | Dragan Nikolic, Νίκος
Ανδρέου | Nikos Andreou, Μαρία Κωνσταντίνου | Maria Konstantinou, Ελένη Γεωργίου
| Eleni Georgiou, Δημήτρης Αλεξίου | Dimitris Alexiou, Κώστας Βασιλείου | Kostas
Vasileiou, Άννα Δήμου | Anna Dimou, Σοφία Νικολάου | Sofia Nikolaou, Παύλος
Μάρκου | Pavlos Markou, Θεόδωρος Λάμπρου | Theodoros Lambrou, Κατερίνα Ρήγα |
Katerina Riga, Στέφανος Παππάς | Stefanos Pappas, Ηλίας Σταύρου | Ilias Stavrou,
王芳 | Wang Fang, 张伟 | Zhang Wei, 刘洋 | Liu Yang, 陈静 | Chen Jing, 杨丽华 | Yang Lihua,
赵建国 | Zhao Jianguo, 黄晓东 | Huang Xiaodong, 周杰 | Zhou Jie, 吴美玲 | Wu Meiling, 徐志强 |
Xu Zhiqiang, 孙立平 | Sun Liping, 马云飞 | Ma Yunfei, 朱红梅 | Zhu Hongmei, 胡海峰 | Hu
Haifeng, 林国华 | Lin Guohua, 高文博 | Gao Wenbo, 김민수 | Kim Minsu, 박지훈 | Pak Jihun,
이영희 | Lee Younghee, 최수진 | Choi Sujin, محمد أحمد | Mohammed Ahmed, خالد حسن |
Khaled Hassan, فاطمة علي | Fatima Ali, يوسف إبراهيم | Youssef Ibrahim, سارة
محمود | Sara Mahmoud, عمر سليمان | Omar Suleiman, ليلى ناصر | Layla Nasser, أحمد
منصور | Ahmed Mansour, حسين كريم | Hussein Karim, مريم صالح | Maryam Saleh, طارق
جابر | Tariq Jaber, سامي رشيد | Sami Rashid, دانيال كامل | Danial Kamel, Димитър
Стоянов | Dimitar Stoyanov, Марко Петровић | Marko Petrovic, Ганна Лисенко |
Hanna Lysenko, Роман Кравченко | Roman Kravchenko, Лев Новиков | Lev Novikov,
Γιάννης Πετρίδης | Giannis Petridis, 郑凯 | Zheng Kai, 宋佳怡 | Song Jiayi
"""


def _listed(table: str) -> list[list[str]]:
    return [pair.split() for pair in " ".join(table.split()).split(", ")]


def _scripted() -> list[tuple[str, str]]:
    pairs = [pair.split(" | ") for pair in " ".join(_SCRIPTS.split()).split(", ")]
    return [(told, written) for written, told in pairs]


KINDS = (
    Kind(
        "R09", "short or pet form of the given name", "CLOSE", "NO",
        tuple(
            tuple(f"{first} {family('en')[n % 20]}" for first in (pair[::-1] if n % 3 else pair))
            for n, pair in enumerate(_listed(_NICKNAMES))
        ),
    ),
    Kind(
        "R12", "other spellings of one name in Latin letters", "CLOSE", "NO",
        tuple(
            (f"{one[0]} {two[0]}", f"{one[1]} {two[1]}")
            for one, two in product(_listed(_GIVEN_SPELT), _listed(_FAMILY_SPELT))
        ),
    ),
    Kind(
        "R12b", "the same name in another script", "CLOSE", "MATCH",
        (*_scripted(), *((b, a) for a, b in _scripted())),
    ),
)  # fmt: skip
