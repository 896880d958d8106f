/**
 * Words that tools and the people who need them use for the same thing. One group a line; every word of a group stands for every other,
 * at less than its own weight, and a word may be in several groups. Words are stemmed when read, so one form is enough; of an irregular
 * word that is the base form (`good` for `best`). Written from general knowledge of what tools do.
 * @module
 */

export const SYNONYMS = `
# Reading and looking up
get fetch retrieve obtain read
get find show view check see
get download
list enumerate show browse
list all get
search find lookup query discover
search filter match
query run execute
view display show open preview
describe explain detail
detail details info information
inspect examine check
retrieve recover
pull fetch
ask question answer
random arbitrary
recent latest newest last
current present now live realtime
popular trending hot top
top good leading
nearby near around closest nearest local
next upcoming future
previous past historical history
history log record
count number total quantity
amount sum total quantity
compare comparison difference diff versus
similar related like alike
exist existence check

# Creating and adding
create make new generate build
create add insert
add append attach include
add register
generate produce make
write compose draft
build construct compile
design draw create
open start create
register signup enroll subscribe
upload import
save store keep
record log
initialize init setup bootstrap
setup configure install
copy duplicate clone replicate
plan itinerary schedule
plan strategy

# Changing
update edit modify change alter
update refresh
set configure change adjust
set assign
change convert
replace substitute
rename move
move transfer relocate
increase raise boost
decrease reduce lower
enable activate
enable turn on
disable deactivate
toggle switch
resize scale
crop trim cut
rotate turn
fix repair correct
improve optimize enhance
optimize tune
merge combine join
split divide separate
sort order rank
format style
restore recover undo revert rollback
reset clear

# Removing and stopping
delete remove erase
delete drop destroy
cancel delete
clear empty purge
stop end terminate halt
stop pause
cancel abort
close end
unsubscribe cancel
block ban
exclude ignore

# Running and controlling
run execute launch start
start begin initiate
invoke call
trigger fire
deploy publish release
play start
control manage
manage administer
monitor track watch observe
track follow
schedule plan arrange
schedule book appointment
remind reminder alert
alert notification notify
alert warning
alarm clock
retry repeat
wait delay sleep
approve accept confirm
reject decline deny
confirm verify
verify validate check
validate validation check
test check
test testing quiz exam
assess evaluate evaluation assessment
analyze analysis analytics
analyze evaluate examine
detect identify recognize
identify determine
predict forecast prediction
estimate calculate
estimate predict
calculate compute calculator
calculate calculation
measure measurement
recommend suggest recommendation suggestion
recommend advice
advise advice tip guidance
choose select pick
rate rating review
rate score
review feedback comment
summarize summary
summary overview
extract parse
extract scrape
convert transform translate
convert conversion exchange
translate translation translator language
encode encrypt
decode decrypt
compress zip archive
extract unzip decompress
connect link
connect login
share send
post publish
submit send
send deliver
reply respond answer
forward send

# People and accounts
user account profile member
user person people
person individual human
customer client
customer user
employee staff worker
manager administrator admin
owner author creator
author writer
friend contact
contact address
contact phone
group team
team member
organization company
company business enterprise firm corporation
role permission
permission access authorization
login signin authenticate
logout signout
password credential
username handle login
name title
title subject heading
identity identification
profile bio
follower subscriber
patient health
student learner
teacher tutor instructor
celebrity star
cast actor
actor person
director person

# Messages and communication
message text chat
message sms
email mail inbox
email message
call phone dial
phone telephone mobile
chat conversation talk
conversation thread dialogue
channel room
comment reply
announcement notice
invite invitation
meeting appointment event conference
meeting call
meeting schedule
voice audio speech
speech talk
speech tts
transcribe transcription transcript
subtitle caption
newsletter mailing
spam junk
attachment file
draft email
feed timeline

# Files, folders and documents
file document
document doc
document text
document pdf
folder directory
directory path
path location
drive disk storage
storage bucket
read open
content text
page document
paper article publication
paper research
article post blog
article news
report document
note memo
note record
template form
form survey questionnaire
spreadsheet excel sheet
spreadsheet table
sheet worksheet
row record
column field
cell value
slide presentation powerpoint ppt
presentation deck
chart graph plot diagram
chart visualize visualization
diagram flowchart
table grid
image picture photo
image icon
picture drawing
screenshot capture snapshot
video movie clip
video youtube
audio sound
audio music
logo icon
font typeface
color colour
pdf document
resume cv
resume job
contract agreement
invoice bill receipt
signature sign

# Web and browser
web internet online
website site webpage page
url link address
link hyperlink
browser web
navigate visit open goto
navigate navigation
click press tap
press key
hover mouse
scroll swipe
input type fill enter
textbox input field
dropdown select
button click
screen display
download save
crawl scrape
domain dns
domain hostname
hostname host server
ip address
seo search
keyword term
bookmark favorite
favorite like
traffic visitor
search google

# Code hosting and development
repository repo
repository project
project workspace
code source
code program script
code snippet
function method
bug issue error defect
issue ticket problem
issue task
pull merge
pr pull
branch fork
commit change
commit revision
release version
version revision
tag label
label category
package library dependency
package module
programming code
developer programmer
debug troubleshoot
error exception failure
log logging
build pipeline
pipeline workflow
workflow automation process
job task
task todo
todo checklist
task project
test unit
api endpoint
api service
webhook callback
sdk library
json data
xml data
parse parser
regex pattern
variable parameter
parameter argument
command shell terminal
command cli
process thread
container docker
cluster kubernetes
pod container
image container
environment env
config configuration setting
setting preference option
property attribute
attribute field
plugin extension
token key
key secret
secret vault credential
certificate ssl

# Databases and data
database db
database sql
sql query
table schema
schema structure
record entry item
item product
data dataset
dataset data
data information
data statistics
statistics stats metric
metric measure
metric performance
performance speed
index search
backup snapshot
restore backup
migrate migration
import load
export download
export output
aggregate summarize
filter where
average mean
minimum lowest
maximum highest
percentage percent
probability chance
distribution histogram
correlation relationship
regression prediction
cluster group
classify categorize classification
category type
type kind
sample example
random sample
cache memory
memory storage
queue message
stream live
event activity
event incident
knowledge information
entity node
relation relationship
graph network
vector embedding

# Cloud and operations
server machine
server host
vm machine virtual
instance vm
cloud aws azure
network connection
network lan
firewall security
security secure safety
vulnerability threat
threat risk
risk danger
attack threat
scan check
health status
status state
status progress
availability available
region location
zone timezone
resource asset
quota limit
usage consumption
cost price expense
billing invoice
subscription plan
tenant account
load balance
uptime availability
incident outage
blob storage

# Calendar and time
calendar schedule agenda
event calendar
appointment booking
time clock
time date
timezone time
date day
day daily
week weekly
month monthly
year annual yearly
hour hourly
holiday vacation
holiday festival
deadline due
duration length
period range
timer countdown
birthday anniversary

# Weather and environment
weather forecast
weather climate
weather temperature
temperature climate
rain precipitation
wind weather
humidity weather
storm hurricane
air pollution
pollution quality
sunrise sunset
earthquake disaster
disaster emergency
emergency urgent
environment ecology
carbon emission
energy power electricity
energy consumption
water moisture
soil ground
plant crop
crop agriculture farm
farm farming agriculture
garden gardening plant
tide ocean
sea ocean marine
animal wildlife
animal pet
pet dog cat
species animal

# Maps, travel and transport
location place
location address
location position coordinate
place destination
place venue
coordinate latitude longitude
geocode coordinate address
map location
map direction
direction route
route path
direction navigate
distance far
distance length
travel trip tour journey
travel tourism vacation
trip itinerary
tourist sightseeing attraction
attraction landmark
landmark monument
flight airline plane airplane
flight ticket
airport flight
ticket booking
train railway rail
bus transit
transit transport transportation
transport vehicle
vehicle car automobile
car rental
car auto
rent rental lease
taxi ride cab uber
ride trip
bike bicycle
drive driving
road traffic
traffic congestion
parking park
hotel accommodation lodging
hotel room
hotel stay
accommodation apartment
apartment house home property
property estate
house housing
room space
book reserve reservation booking
reservation appointment
restaurant dining
restaurant food
restaurant eat
city town
country nation
state province
zip postal postcode
passport visa
luggage baggage
border visa

# Money and finance
money cash fund
finance financial
price cost
price rate
price value
price quote
fee charge
charge payment
pay payment
payment transaction
transaction transfer
transfer send
bank account
bank banking
balance amount
deposit save
withdraw cash
loan mortgage credit
loan borrow
interest rate
credit card
debt loan
budget spending
budget expense
expense spending
income salary
salary wage pay
tax income
invest investment portfolio
invest stock
stock share equity
stock ticker symbol
stock market
market exchange
exchange rate
currency money
currency exchange
currency forex
crypto cryptocurrency bitcoin
crypto coin
coin token
bitcoin ethereum
wallet account
wallet balance
blockchain crypto
trade trading
trade buy sell
profit gain
loss lose
revenue sales
insurance policy
insurance claim
fund etf
dividend yield
donation donate charity
retirement pension

# Shopping and commerce
buy purchase
buy order shop
shop store
shop shopping
store retail
product item
product goods
order purchase
order status
cart basket
discount coupon promo
discount deal
deal offer
offer promotion
promotion marketing campaign
campaign advertising
ad advertisement advertising
advertise promote
sell sale
seller vendor merchant
vendor supplier
inventory stock
stock available
shipping delivery
ship deliver
shipment package parcel
package delivery
tracking shipment
return refund
warehouse inventory
catalog product
brand manufacturer
clothes clothing apparel
clothes fashion outfit
fashion style
gift present
auction bid

# Food and health
recipe cook cooking
recipe dish meal
meal food
food nutrition
food cuisine
nutrition diet
diet meal
ingredient food
calorie nutrition
calorie burn
drink beverage
drink cocktail
wine drink
health medical
health wellness
medical medicine
medicine drug medication
drug pharmaceutical
doctor physician
doctor clinic
hospital clinic
disease illness condition
disease symptom
symptom sign
treatment therapy
diagnosis diagnose
exercise workout fitness
exercise training
fitness gym
sleep rest
weight bmi
body physical
heart cardiac
mental psychological
stress anxiety
vaccine vaccination
surgery operation
dental dentist
blood pressure

# Media, sport and games
movie film
movie cinema
tv television
tv show series
show series
episode show
cast credit
music song
song track
song lyric
artist singer musician
artist band
album music
playlist music
concert event
podcast audio
radio station
stream watch
watch view
book novel
book read
book literature
library book
story tale
poem poetry
quote saying
joke humor funny
fun entertainment
game gaming
game play
game match
player athlete
player game
match fixture
sport game
sport team
football soccer
league competition
tournament competition
competition contest
score result
result outcome
standing ranking
ranking leaderboard
bet odds
odds probability
horoscope zodiac astrology
tarot fortune
dictionary definition word
definition meaning
word vocabulary
synonym thesaurus
wikipedia encyclopedia
encyclopedia knowledge
news headline
news article
news update
hashtag tag
tweet twitter
meme funny
gif animation
photo gallery
camera photo
art painting
art artwork
museum exhibition
exhibition event
dance music

# Education, work and law
learn study
learn education
education school
course class lesson
course tutorial
lesson tutorial
tutorial guide
guide manual
guide instruction
school university college
university academic
academic scholar
scholar research
research study
research paper
experiment test
science scientific
math mathematics
math calculate
equation formula
equation solve
solve solution
number numeric
integer number
prime number
geometry shape
area surface
volume capacity
length size
size dimension
speed velocity
temperature heat
force physics
chemical chemistry
molecule compound
gene genetic dna
protein molecule
star astronomy
planet space
space astronomy
satellite orbit
job work employment
job career
job position
career profession
hire recruit
recruit candidate
candidate applicant
apply application
skill ability
interview job
project plan
goal objective target
progress status
productivity efficiency
law legal
legal lawyer attorney
court case
crime criminal
police crime
government public
policy regulation
regulation compliance
compliance audit
audit review
patent trademark
license permit
vote election poll
survey poll
politics political

# Home and devices
home house
device gadget
device appliance
device machine
light lamp
light brightness
brightness light
thermostat temperature
heater heating
cool conditioner
ac conditioner
door lock
lock unlock
camera surveillance
sensor detector
speaker volume
volume sound
smart iot
robot machine
clean cleaning
maintenance repair
printer print
battery power
screen monitor
wifi wireless network
bluetooth wireless

# Text and language
text string
text word
sentence text
paragraph text
essay article
grammar spelling
spelling spellcheck
proofread grammar
sentiment emotion
emotion mood feeling
emotion sentiment
language translation
rewrite paraphrase
plagiarism similarity
letter character
uppercase capital
hash checksum
encrypt encryption
decrypt decryption
qr barcode
uuid id
id identifier
identifier key

# Ideas and others
idea inspiration
idea suggestion
brainstorm idea
help support
support assistance
service provider
agent assistant
bot chatbot
ai intelligence
model ai
prompt instruction
image generate
name domain
nickname name
gender sex
age birthday
baby child
child kid
family parent
family relative
wedding marriage
love relationship
dating match
party celebration
religion bible
bible verse scripture
culture cultural
tradition custom
history historical
ancient history
archaeology ancient

# Chinese: actions
查询 查找 搜索 检索 查看
查询 获取 查看 查阅
获取 得到 读取
搜索 寻找 找到
创建 新建 建立 生成
创建 添加 新增
添加 增加 加入
生成 制作 产生
更新 修改 更改 编辑 变更
设置 设定 配置 调整
删除 移除 清除 去掉
取消 撤销 删除
发送 发出 传送
发布 发表 公布
上传 导入
下载 导出 保存
保存 存储 储存
打开 开启 启动
关闭 停止 结束
启动 开始 运行 执行
分析 评估 评价 诊断
检查 检测 查看 核对
监控 监测 跟踪 追踪
预测 预报 估计
计算 统计 算出
推荐 建议 推介
预订 预定 订购 预约
购买 买入 采购 订购
支付 付款 缴纳 缴费
转账 汇款
翻译 转换
转换 兑换 换算
比较 对比
安排 计划 规划 日程
提醒 通知 告知
记录 登记 日志
注册 登记 开户
申请 办理
整理 汇总 总结
总结 摘要 概括
播放 放映
管理 维护
修复 维修 修理
验证 确认 核实
排序 排列
合并 组合
复制 拷贝
分享 共享
回复 答复 回答

# Chinese: things
信息 详情 资料 数据
数据 资料
文件 文档 档案
目录 文件夹
邮件 邮箱 电邮
消息 短信 信息
会议 开会
日程 行程 日历
行程 旅行 旅游
旅游 旅行 景点
酒店 宾馆 住宿
机票 航班 飞机
火车 列车 车票
汽车 车辆
路线 路径 导航
地址 位置 地点
天气 气象 气温
股票 股市 证券
价格 费用 价钱
账户 账号 帐户
账单 发票 费用
余额 结余
贷款 借款
投资 理财
订单 订购
商品 产品
库存 存货
快递 物流 配送
优惠 折扣
餐厅 饭店 餐馆
菜谱 食谱
健康 医疗
医院 诊所
医生 大夫
药品 药物
疾病 病症
运动 锻炼 健身
音乐 歌曲
电影 影片
视频 影片 录像
图片 图像 照片
新闻 资讯
文章 论文
论文 文献
书籍 图书
课程 课堂
学习 教育
考试 测试
工作 任务 职位
任务 待办
项目 工程
员工 职工 人员
用户 客户 会员
客户 顾客
公司 企业 机构
联系 联络
电话 手机
密码 口令
权限 授权
设备 装置
温度 气温
时间 日期
代码 程序
错误 故障 异常
报告 报表
图表 图形
表格 列表
列表 清单
历史 记录
排名 排行 榜单
评论 评价
比赛 赛事
房间 客房
房屋 住房 房产

# Korean
날씨 기상 기온
검색 찾기 조회
조회 확인 보기
추가 등록 생성
삭제 제거 취소
수정 변경 편집
예약 예매
전송 보내
메시지 문자
전화 통화
음악 노래
영화 상영
일정 스케줄 약속
알람 알림
번역 통역
환율 환전
주식 증권
길찾 경로
식당 맛집
호텔 숙소
뉴스 기사
시작 실행
종료 중지
`
