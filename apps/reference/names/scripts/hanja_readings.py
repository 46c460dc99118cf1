"""Korean readings of Chinese characters (hanja): 金正恩 is 김정은.

KS X 1001, the standard behind EUC-KR, has its 4,888 characters in the order of their readings, so
that a reading extends from its first character to that of the next. A character with several
readings is listed at each of them; here the reading of the character itself counts, not that of its
compatibility duplicates.
"""

from functools import cache

from opencc import OpenCC

# each reading and the first character that has it
_READINGS = """
가伽 각刻 간侃 갈乫 감勘 갑匣 강剛 개介 객喀 갱坑 갹醵 거倨 건乾 걸乞 검儉
겁劫 게偈 격擊 견堅 결抉 겸兼 경京 계係 고古 곡哭 곤困 골汨 공供 과寡 곽槨
관冠 괄刮 광侊 괘卦 괴乖 굉宏 교交 구丘 국國 군君 굴堀 궁宮 권倦 궐厥 궤机
귀晷 규叫 균勻 귤橘 극克 근僅 금今 급伋 긍亘 기企 긴緊 길佶 끽喫 나儺 난暖
날捏 남南 납納 낭囊 내乃 녀女 년年 념念 녕寗 노努 농濃 뇌惱 뇨尿 눈嫩 눌訥
뉴杻 능能 니尼 닉匿 다多 단丹 달撻 담啖 답沓 당唐 대代 덕德 도倒 독毒 돈墩
돌乭 동仝 두兜 둔屯 득得 등嶝 라喇 락洛 란亂 랄剌 람嵐 랍拉 랑廊 래來 랭冷
략掠 량亮 려侶 력力 련憐 렬冽 렴廉 렵獵 령令 례例 로勞 록碌 론論 롱壟 뢰儡
료了 룡龍 루壘 류劉 륙六 륜侖 률律 륭隆 륵勒 름凜 릉凌 리俚 린吝 림林 립砬
마摩 막寞 만万 말唜 망亡 매埋 맥脈 맹孟 멱冪 면免 멸滅 명冥 몌袂 모侮 목木
몰歿 몽夢 묘卯 무務 묵墨 문們 물勿 미味 민岷 밀密 박剝 반伴 발勃 방倣 배倍
백伯 번幡 벌伐 범凡 법法 벽僻 변卞 별別 병丙 보保 복伏 본本 볼乶 봉俸 부付
북北 분分 불佛 붕崩 비丕 빈嚬 빙憑 사乍 삭削 산傘 살乷 삼三 삽揷 상上 새塞
색嗇 생牲 서墅 석夕 선仙 설卨 섬剡 섭攝 성城 세世 소召 속俗 손孫 솔率 송宋
쇄刷 쇠衰 수修 숙叔 순巡 술戌 숭崇 슬瑟 습濕 승丞 시侍 식埴 신伸 실失 심審
십什 쌍雙 씨氏 아亞 악堊 안安 알斡 암唵 압壓 앙仰 애厓 액厄 앵櫻 야也 약弱
양佯 어圄 억億 언偃 얼孼 엄俺 업嶪 엔円 여予 역亦 연嚥 열悅 염厭 엽曄 영塋
예乂 오五 옥屋 온溫 올兀 옹壅 와渦 완婉 왈曰 왕往 왜倭 외外 요僥 욕慾 용俑
우于 욱勖 운云 울蔚 웅熊 원元 월月 위位 유乳 육堉 윤允 율聿 융戎 은垠 을乙
음吟 읍揖 응凝 의依 이二 익瀷 인人 일一 임任 입入 잉仍 자仔 작作 잔孱 잠岑
잡雜 장丈 재再 쟁爭 저佇 적勣 전佃 절切 점占 접接 정丁 제制 조俎 족族 존存
졸卒 종倧 좌佐 죄罪 주主 죽竹 준俊 줄茁 중中 즉卽 즐櫛 즙楫 증增 지之 직直
진唇 질侄 짐斟 집執 징徵 차且 착捉 찬撰 찰刹 참僭 창倉 채債 책冊 처凄 척倜
천仟 철凸 첨僉 첩堞 청廳 체剃 초初 촉促 촌寸 총叢 촬撮 최催 추墜 축丑 춘春
출出 충充 췌悴 취取 측側 층層 치侈 칙則 친親 칠七 침侵 칩蟄 칭秤 쾌快 타他
탁倬 탄呑 탈奪 탐探 탑塔 탕宕 태兌 택擇 탱撑 터攄 토兎 통慟 퇴堆 투偸 특慝
틈闖 파坡 판判 팔八 패佩 팽彭 퍅愎 편便 폄貶 평坪 폐吠 포佈 폭幅 표俵 품品
풍楓 피彼 필匹 핍乏 하下 학壑 한寒 할割 함函 합合 항亢 해亥 핵劾 행倖 향享
허噓 헌憲 헐歇 험險 혁奕 현俔 혈孑 혐嫌 협俠 형亨 혜兮 호乎 혹惑 혼婚 홀忽
홍哄 화化 확擴 환丸 활活 황凰 회匯 획劃 횡宖 효哮 후侯 훈勛 훙薨 훤喧 훼卉
휘彙 휴休 휼恤 흉兇 흑黑 흔昕 흘吃 흠欠 흡吸 흥興 희僖 힐詰
"""
# in the standard under another of their readings than the one of names
_IN_NAMES = dict(zip("金樂寧諾不泌宅坍廓", "금락녕락불필택단곽", strict=True))
# family names that are read otherwise than the character
_SURNAMES = {"金": "김", "沈": "심", "葉": "섭"}
# characters of which Koreans print another form than Taiwan does, by whose the simplified are told
_KOREAN_FORMS = str.maketrans(
    "鎮真教青清值慎顛絕彥產顏偽恆凈艷豔強概既即鄉郎查插併並屏瓶妍研榆緒",
    "鎭眞敎靑淸値愼顚絶彦産顔僞恒淨艶艶强槪旣卽鄕郞査揷倂竝屛甁姸硏楡緖",
)
_ROWS, _CELLS = range(0xCA, 0xFE), range(0xA1, 0xFF)
_COMPATIBLE = "\uf900"


@cache
def _hanja_readings() -> dict[str, str]:
    first = {entry[1:]: entry[0] for entry in _READINGS.split()}
    found: dict[str, str] = {}
    reading = ""
    for row in _ROWS:
        for cell in _CELLS:
            character = bytes((row, cell)).decode("euc_kr")
            reading = first.get(character, reading)
            if character < _COMPATIBLE:
                found[character] = reading
    return found | _IN_NAMES


@cache
def _traditional_converter() -> OpenCC:
    return OpenCC("s2t")


def read_hanja(text: str) -> str:
    """Return a name in Chinese characters, of either form, as Koreans read it, family name first.

    Empty where a character is not one that Koreans use.
    """
    readings = _hanja_readings()
    written = "".join(
        one if one in readings else one.translate(_KOREAN_FORMS)
        for one in _traditional_converter().convert(text)
    )
    if not written or any(one not in readings for one in written):
        return ""
    first = _SURNAMES.get(written[0]) or readings[written[0]]
    return first + "".join(readings[one] for one in written[1:])
