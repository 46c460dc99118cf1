"""Cantonese and Japanese readings of characters in common names. Data, from usage.

CANTONESE is in the spelling of Hong Kong's registers, a stroke between usual ones, of simplified
characters. JAPANESE_FAMILY and JAPANESE_GIVEN are whole names in the spelling of passports.
"""

CANTONESE = """
陈 chan 张 cheung 章 cheung 郑 cheng 周 chow 朱 chu 徐 tsui 蔡 choi/tsoi 崔 chui 钟 chung 冯 fung
方 fong 傅 fu 霍 fok 何 ho 许 hui 洪 hung 孔 hung 胡 wu 黄 wong 王 wong 叶 yip 姚 yiu 严 yim
袁 yuen 阮 yuen 余 yu 俞 yu 于 yu 简 kan 江 kong 龚 kung 高 ko 关 kwan 郭 kwok 古 ku 林 lam 刘 lau
柳 lau 李 lee/li 梁 leung 廖 liu 卢 lo 罗 lo 吕 lui 陆 luk 雷 lui 龙 lung 黎 lai 赖 lai 马 ma
麦 mak 莫 mok 文 man 孟 mang 缪 miu 吴 ng 伍 ng 倪 ngai 魏 ngai 欧 au 区 au 柯 or 潘 poon/pun
彭 pang 白 pak 包 pau 施 sze 史 sze 石 shek 沈 shum 孙 suen 宋 sung 苏 so 萧 siu 邵 shiu 冼 sin
辛 sun 谭 tam 邓 tang 唐 tong 汤 tong 戴 tai 杜 to 丁 ting 程 ching 曹 tso 曾 tsang 邹 chau 左 cho
谢 tse 詹 chim 甄 yan 任 yam 易 yik 尤 yau 游 yau 屈 wat 温 wan 尹 wan 汪 wong 韦 wai 卫 wai 胡 wu
利 lee 杨 yeung 殷 yan 甘 kam 金 kam 顾 koo 岑 shum 成 shing 盛 shing 司徒 szeto 欧阳 au-yeung
安 on 伯 pak 百 pak 宝 po 保 po 炳 ping 平 ping 兵 ping 标 piu 彬 pan 斌 pan 波 po 昌 cheong
长 cheung 祥 cheung 超 chiu 朝 chiu 照 chiu 昭 chiu 正 ching 贞 ching 清 ching 静 ching 晶 ching
政 ching 智 chi 志 chi 之 chi 芝 chi 子 tsz 慈 tsz 芷 tsz 紫 tsz 思 sze 诗 sze 仕 sze 楚 chor
初 chor 传 chuen 全 chuen 泉 chuen 春 chun 俊 chun 进 chun 振 chun 珍 chun 津 chun 真 chun 东 tung
冬 tung 栋 tung 达 tat 德 tak 得 tak 大 tai 泰 tai 天 tin 田 tin 定 ting 亭 ting 婷 ting 廷 ting
道 to 发 fat 法 fat 辉 fai 飞 fei 芬 fan 凡 fan 丰 fung 凤 fung 峰 fung 锋 fung 富 fu 夫 fu 福 fuk
芳 fong 菲 fei 家 ka 嘉 ka 佳 kai 基 kei 启 kai 佩 pui 培 pui 沛 pui 玉 yuk 钰 yuk 育 yuk 月 yuet
悦 yuet 越 yuet 如 yu 宇 yu 雨 yu 瑜 yu 裕 yu 耀 yiu 瑶 yiu 尧 yiu 英 ying 颖 ying 莹 ying 盈 ying
应 ying 影 ying 仪 yee 怡 yi 义 yee 意 yee 颐 yee 儿 yee 贤 yin 妍 yin 燕 yin 彦 yin 然 yin 言 yin
欣 yan 恩 yan 仁 yan 因 yan 昕 yan 忻 yan 柔 yau 有 yau 友 yau 佑 yau 幼 yau 国 kwok 光 kwong
广 kwong 贵 kwai 桂 kwai 君 kwan 均 kwan 坤 kwan 军 kwan 群 kwan 昆 kwan 强 keung 乔 kiu 娇 kiu
建 kin 健 kin 坚 kin 景 king 敬 king 琼 king 劲 king 锦 kam 锡 sek 金 kam 红 hung 雄 hung 鸿 hung
虹 hung 雪 suet 旋 suen 选 suen 雄 hung 贤 yin 兰 lan 莲 lin 连 lin 丽 lai 礼 lai 莉 lei 理 lei
利 lei 力 lik 立 lap 良 leung 亮 leung 玲 ling 灵 ling 龄 ling 令 ling 乐 lok 洛 lok 禄 luk 伦 lun
联 luen 文 man 敏 man 民 man 曼 man 汶 man 万 man 美 mei 媚 mei 眉 mei 微 mei 明 ming 铭 ming
名 ming 妙 miu 苗 miu 慕 mo 武 mo 梅 mui 妹 mui 茂 mau 满 moon 木 muk 年 nin 宁 ning 女 nui 诺 nok
能 nang 娥 ngo 雅 nga 艺 ngai 伟 wai 惠 wai 慧 wai 威 wai 维 wai 卫 wai 蕙 wai 为 wai 云 wan
韵 wan 宏 wang 弘 wang 华 wah 荣 wing 永 wing 泳 wing 咏 wing 颖 wing 和 wo 浩 ho 豪 ho 皓 ho
好 ho 可 ho 开 hoi 海 hoi 凯 hoi 恺 hoi 康 hong 航 hong 杭 hong 幸 hang 行 hang 恒 hang 杏 hang
希 hei 喜 hei 熙 hei 曦 hei 起 hei 晓 hiu 孝 hau 厚 hau 巧 hau 候 hau 香 heung 向 heung 轩 hin
宪 hin 显 hin 献 hin 谦 him 学 hok 鹤 hok 兴 hing 庆 hing 卿 hing 馨 hing 山 shan 珊 shan 善 sin
仙 sin 先 sin 倩 sin 胜 shing 城 shing 诚 shing 承 shing 星 sing 升 sing 小 siu 少 siu 笑 siu
兆 siu 绍 siu 树 shu 书 shu 舒 shu 淑 shuk 水 shui 瑞 shui 顺 shun 信 shun 纯 shun 心 sum 森 sum
深 sum 新 sun 生 sang 桑 sang 三 sam 素 so 岁 sui 瑞 sui 秀 sau 寿 sau 首 sau 守 sau 松 chung
中 chung 忠 chung 宗 chung 聪 chung 重 chung 卓 cheuk 焯 cheuk 雀 cheuk 泽 chak 则 chak 宗 chung
祖 cho 助 cho 作 tsok 堂 tong 棠 tong 通 tung 同 tung 彤 tung 桐 tung 涛 to 桃 to 图 to 添 tim
甜 tim 铁 tit 贝 pui 碧 pik 必 pit 品 pun 本 pun 宾 pan 一 yat 日 yat 逸 yat 以 yee 尔 yee 义 yee
元 yuen 源 yuen 远 yuen 媛 wun 婉 yuen 琬 yuen 圆 yuen 缘 yuen 润 yun 韫 wan 颂 chung 从 chung
柏 pak 翠 chui 彩 choi 才 choi 材 choi 再 choi 载 choi 灿 chan 赞 chan 琛 sum 辰 sun 晨 sun 臣 sun
慎 sun 善 sin 洁 kit 杰 kit 结 kit 琪 kei 其 kei 奇 kei 祺 kei 琦 kei 纪 kei 洋 yeung 阳 yeung
扬 yeung 若 yeuk 约 yeuk 药 yeuk 骏 chun 竣 chun 隽 chun
"""
JAPANESE_FAMILY = """
佐藤 sato 鈴木 suzuki 高橋 takahashi 田中 tanaka 伊藤 ito 渡辺 watanabe 渡邊 watanabe
渡邉 watanabe 山本 yamamoto 中村 nakamura 小林 kobayashi 加藤 kato 吉田 yoshida 山田 yamada
佐々木 sasaki 山口 yamaguchi 松本 matsumoto 井上 inoue 木村 kimura 林 hayashi 斎藤 saito
齋藤 saito 斉藤 saito 清水 shimizu 山崎 yamazaki 森 mori 池田 ikeda 橋本 hashimoto 阿部 abe
石川 ishikawa 山下 yamashita 中島 nakajima 石井 ishii 小川 ogawa 前田 maeda 岡田 okada
長谷川 hasegawa 藤田 fujita 後藤 goto 近藤 kondo 村上 murakami 遠藤 endo 青木 aoki 坂本 sakamoto
福田 fukuda 太田 ota 西村 nishimura 藤井 fujii 金子 kaneko 岡本 okamoto 藤原 fujiwara 三浦 miura
中野 nakano 中川 nakagawa 原田 harada 松田 matsuda 竹内 takeuchi 小野 ono 田村 tamura
中山 nakayama 和田 wada 石田 ishida 森田 morita 上田 ueda 原 hara 内田 uchida 柴田 shibata
酒井 sakai 宮崎 miyazaki 横山 yokoyama 高木 takagi 安藤 ando 宮本 miyamoto 大野 ono 小島 kojima
工藤 kudo 谷口 taniguchi 今井 imai 高田 takada 増田 masuda 丸山 maruyama 杉山 sugiyama 村田 murata
大塚 otsuka 新井 arai 小山 koyama 平野 hirano 藤本 fujimoto 河野 kono 上野 ueno 野口 noguchi
武田 takeda 松井 matsui 千葉 chiba 岩崎 iwasaki 菅原 sugawara 木下 kinoshita 久保 kubo 佐野 sano
野村 nomura 松尾 matsuo 菊地 kikuchi 菊池 kikuchi 市川 ichikawa 杉本 sugimoto 古川 furukawa
大西 onishi 島田 shimada 水野 mizuno 桜井 sakurai 高野 takano 渡部 watanabe 吉川 yoshikawa
山内 yamauchi 西田 nishida 西川 nishikawa 飯田 iida 北村 kitamura 安田 yasuda 五十嵐 igarashi
川口 kawaguchi 平田 hirata 関 seki 中田 nakata 久保田 kubota 東 higashi 服部 hattori 川崎 kawasaki
岩田 iwata 土屋 tsuchiya 福島 fukushima 本田 honda 樋口 higuchi 辻 tsuji 田口 taguchi
山中 yamanaka 秋山 akiyama 永井 nagai 中西 nakanishi 大島 oshima 浅野 asano 川上 kawakami
吉村 yoshimura 豊田 toyoda 星野 hoshino 黒田 kuroda 大久保 okubo 片山 katayama
"""
JAPANESE_GIVEN = """
太郎 taro 一郎 ichiro 二郎 jiro 次郎 jiro 三郎 saburo 健 ken/takeshi 健一 kenichi 健二 kenji
健太 kenta 健太郎 kentaro 賢治 kenji 浩 hiroshi 博 hiroshi 浩二 koji 浩一 koichi 弘 hiroshi
宏 hiroshi 隆 takashi 孝 takashi 誠 makoto 誠一 seiichi 清 kiyoshi 茂 shigeru 実 minoru 豊 yutaka
進 susumu 勝 masaru 正 tadashi 正樹 masaki 正人 masato 雅人 masato 明 akira 昭 akira 章 akira
聡 satoshi 智 satoshi 哲也 tetsuya 達也 tatsuya 和也 kazuya 和夫 kazuo 一夫 kazuo 幸雄 yukio
幸子 sachiko 昭夫 akio 秀樹 hideki 英樹 hideki 直樹 naoki 直人 naoto 大輔 daisuke 大介 daisuke
大樹 daiki 拓也 takuya 翔 sho 翔太 shota 翔平 shohei 陽子 yoko 洋子 yoko 恵子 keiko 敬子 keiko
啓子 keiko 京子 kyoko 恭子 kyoko 幸 yuki 由美 yumi 由美子 yumiko 裕子 yuko/hiroko 優子 yuko
祐子 yuko 久美子 kumiko 真由美 mayumi 智子 tomoko 美穂 miho 美香 mika 直美 naomi 直子 naoko
明美 akemi 順子 junko 純子 junko 花子 hanako 愛 ai 愛子 aiko 美咲 misaki 葵 aoi さくら sakura
桜 sakura 良子 yoshiko 芳子 yoshiko 和子 kazuko 節子 setsuko 文子 fumiko 文雄 fumio 千代子 chiyoko
信子 nobuko 伸子 nobuko 典子 noriko 紀子 noriko 則子 noriko 剛 tsuyoshi 勇 isamu 武 takeshi
徹 toru 亨 toru 修 osamu 治 osamu 学 manabu 守 mamoru 裕介 yusuke 祐介 yusuke 雄介 yusuke
雄一 yuichi 裕一 yuichi 雄太 yuta 悠太 yuta 亮 ryo 涼 ryo 涼子 ryoko 遼 ryo 龍一 ryuichi
晋三 shinzo 真一 shinichi 慎一 shinichi 信一 shinichi 淳 jun/atsushi 潤 jun 純 jun 英雄 hideo
秀雄 hideo 里美 satomi
"""
