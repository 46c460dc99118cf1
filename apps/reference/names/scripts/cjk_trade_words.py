"""Words of business in Chinese, Japanese and Korean, which write them together with the name."""

import re

# simplified characters; the longest that fits counts
_WORDS = """
银行 bank  集团 group  控股 holding  贸易 trading  进出口 import export  实业 industrial
工业 industry  发展 development  开发 development  投资 investment  国际 international
科技 technology  技术 technology  电子 electronics  电器 electric  电力 power  电气 electric
石油 petroleum  石化 petrochemical  化工 chemical  化学 chemical  天然气 gas  能源 energy
航运 shipping  海运 shipping  船舶 ship  轮船 shipping  航空 aviation  航天 aerospace
物流 logistics  运输 transport  建设 construction  建筑 construction  工程 engineering
机械 machinery  设备 equipment  矿业 mining  钢铁 steel  金属 metal  汽车 automobile
机床 machine  保险 insurance  证券 securities  金融 finance  基金 fund  信托 trust
咨询 consulting  服务 service  管理 management  网络 network  通信 communications
信息 information  软件 software  半导体 semiconductor  材料 materials  制造 manufacturing
制药 pharmaceutical  医药 medical  医院 hospital  大学 university  学院 college  研究院 academy
研究所 institute  中心 center  协会 association  委员会 committee  基金会 foundation
总公司 corporation  总局 bureau  公司 company  企业 enterprise  商社 trading  商事 trading
商行 trading  株式会社 company  会社 company  党 party  军 army  国家 national  中国 china
朝鲜 korea  俄罗斯 russia  伊朗 iran  香港 hong kong  台湾 taiwan  日本 japan  韩国 korea
叙利亚 syria  美国 america  은행 bank  그룹 group  집단 group  무역 trading  상사 trading
회사 company  총회사 corporation  산업 industrial  공업 industry  개발 development
발전 development  투자 investment  국제 international  기술 technology  전자 electronics
전력 power  석유 petroleum  화학 chemical  에너지 energy  해운 shipping  선박 ship
항공 aviation  물류 logistics  운수 transport  건설 construction  기계 machinery  광업 mining
강철 steel  철강 steel  금속 metal  자동차 automobile  보험 insurance  증권 securities
금융 finance  기금 fund  봉사 service  관리 management  통신 communications  정보 information
제약 pharmaceutical  병원 hospital  대학 university  연구소 institute  센터 center
협회 association  위원회 committee  재단 foundation  총국 bureau  공사 corporation  인민 people
민주주의 democratic  공화국 republic  조선 korea  대한 korea  한국 korea  电気 electric
精密 precision  伊斯兰 islamic  共和国 republic  国防 defense  军事 military  武器 weapons
原子能 atomic energy  核能 nuclear energy  造船 shipbuilding  中央 central  农业 agricultural
商业 commercial  进口 import  出口 export  组织 organization  解放 liberation  阵线 front
革命 revolutionary  卫队 guard  产业 industry  自动车 automobile  组 gumi
"""
_FIELD = re.compile(r"(\S+) (.+?)(?=  |\n)")
WORDS = dict(_FIELD.findall(_WORDS))
"""What each word means in English."""
_ANY = re.compile("|".join(sorted(WORDS, key=len, reverse=True)))


def translate_trade_words(text: str) -> str:
    """Return a text in simplified characters or Hangul with its words of business in English."""
    return _ANY.sub(lambda word: f" {WORDS[word[0]]} ", text)


def has_trade_word(text: str) -> bool:
    """Return whether a text in simplified characters or Hangul has a word of business."""
    return _ANY.search(text) is not None
