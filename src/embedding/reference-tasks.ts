/**
 * Twelve tasks in several languages, each as a person asks and as a tool says it, in different words. What a model makes of them is what
 * it is trusted with.
 * @module
 */

/** Writing systems that there are tasks in; the language stands for all that are written so. */
export type Script = 'latin' | 'han' | 'kana' | 'hangul' | 'cyrillic' | 'arabic'

interface Tasks {
  readonly asked: readonly string[]
  readonly declared: readonly string[]
}

/** The tasks are in the same order everywhere. */
export const REFERENCE_TASKS: Readonly<Record<Script, Tasks>> = {
  latin: {
    asked: [
      'will it rain tomorrow?', 'write to my boss that I am ill', 'get rid of the old report', 'what does this mean in French?',
      'put dinner with Anna on Friday evening', 'I want to hear some jazz', 'I have to be in Rome next week', 'settle what I owe for electricity',
      'make this picture smaller', 'tell the developers that the login button does nothing', 'how do I get from home to the station?',
      'how much is Apple worth today?',
    ],
    declared: [
      'Get the weather forecast of a city.', 'Send an e-mail message to a person.', 'Delete a file from disk.', 'Translate a text into another language.',
      'Create a calendar event.', 'Play a song.', 'Search and book flights.', 'Pay a bill.',
      'Resize an image.', 'Report a bug in a repository.', 'Calculate a route between two places.', 'Get the current price of a share.',
    ],
  },
  han: {
    asked: [
      '明天会下雨吗？', '告诉老板我生病了', '把旧报告扔掉', '这句话用法语怎么说？', '周五晚上和安娜吃饭，帮我记上', '我想听点爵士乐', '下周我得去罗马',
      '把电费结清', '把这张照片弄小一点', '跟开发人员说登录按钮没反应', '从家里怎么走到车站？', '苹果今天值多少钱？',
    ],
    declared: [
      '获取城市的天气预报。', '发送电子邮件。', '从磁盘删除文件。', '将文本翻译成另一种语言。', '创建日历事件。', '播放歌曲。', '搜索并预订航班。',
      '支付账单。', '调整图像大小。', '在代码仓库中提交缺陷。', '计算两地之间的路线。', '查询股票的当前价格。',
    ],
  },
  kana: {
    asked: [
      '明日は雨が降りますか？', '病気だと上司に伝えて', '古いレポートを捨てて', 'これはフランス語でどう言うの？', '金曜の夜にアンナとの夕食を入れて', 'ジャズが聴きたい',
      '来週ローマに行かなくちゃ', '電気代を払っておいて', 'この写真を小さくして', 'ログインボタンが動かないと開発者に伝えて', '家から駅までどう行けばいい？',
      '今日アップルはいくら？',
    ],
    declared: [
      '都市の天気予報を取得します。', '電子メールを送信します。', 'ファイルをディスクから削除します。', 'テキストを別の言語に翻訳します。', 'カレンダーの予定を作成します。',
      '曲を再生します。', '航空便を検索して予約します。', '請求書の支払いを行います。', '画像のサイズを変更します。', 'リポジトリに不具合を報告します。',
      '二地点間の経路を計算します。', '株式の現在の価格を取得します。',
    ],
  },
  hangul: {
    asked: [
      '내일 비가 올까?', '상사에게 내가 아프다고 전해 줘', '오래된 보고서를 버려 줘', '이게 프랑스어로 뭐야?', '금요일 저녁에 안나와 식사 약속을 넣어 줘', '재즈가 듣고 싶어',
      '다음 주에 로마에 가야 해', '전기 요금을 내 줘', '이 사진을 더 작게 만들어 줘', '로그인 버튼이 안 된다고 개발자에게 알려 줘', '집에서 역까지 어떻게 가?',
      '오늘 애플은 얼마야?',
    ],
    declared: [
      '도시의 일기 예보를 조회합니다.', '이메일을 보냅니다.', '디스크에서 파일을 삭제합니다.', '텍스트를 다른 언어로 번역합니다.', '캘린더 일정을 만듭니다.',
      '노래를 재생합니다.', '항공편을 검색하고 예약합니다.', '청구서를 결제합니다.', '이미지 크기를 조정합니다.', '저장소에 버그를 신고합니다.',
      '두 장소 사이의 경로를 계산합니다.', '주식의 현재 가격을 조회합니다.',
    ],
  },
  cyrillic: {
    asked: [
      'завтра будет дождь?', 'напиши начальнику, что я заболел', 'выброси старый отчёт', 'как это будет по-французски?', 'запиши ужин с Анной на вечер пятницы',
      'хочу послушать джаз', 'на следующей неделе мне надо быть в Риме', 'рассчитайся за электричество', 'сделай эту фотографию меньше',
      'скажи разработчикам, что кнопка входа не работает', 'как мне добраться от дома до вокзала?', 'сколько сегодня стоит Apple?',
    ],
    declared: [
      'Получить прогноз погоды в городе.', 'Отправить электронное письмо.', 'Удалить файл с диска.', 'Перевести текст на другой язык.', 'Создать событие в календаре.',
      'Воспроизвести песню.', 'Найти и забронировать авиабилеты.', 'Оплатить счёт.', 'Изменить размер изображения.', 'Сообщить об ошибке в репозитории.',
      'Рассчитать маршрут между двумя местами.', 'Узнать текущую цену акции.',
    ],
  },
  arabic: {
    asked: [
      'هل ستمطر غدا؟', 'أخبر مديري أنني مريض', 'تخلص من التقرير القديم', 'ماذا يعني هذا بالفرنسية؟', 'سجل العشاء مع آنا مساء الجمعة', 'أريد أن أسمع الجاز',
      'يجب أن أكون في روما الأسبوع القادم', 'سدد ما علي للكهرباء', 'اجعل هذه الصورة أصغر', 'أخبر المطورين أن زر الدخول لا يعمل', 'كيف أصل من البيت إلى المحطة؟',
      'كم تساوي آبل اليوم؟',
    ],
    declared: [
      'الحصول على توقعات الطقس لمدينة.', 'إرسال رسالة بريد إلكتروني.', 'حذف ملف من القرص.', 'ترجمة نص إلى لغة أخرى.', 'إنشاء حدث في التقويم.', 'تشغيل أغنية.',
      'البحث عن رحلات جوية وحجزها.', 'دفع فاتورة.', 'تغيير حجم صورة.', 'الإبلاغ عن خطأ في مستودع.', 'حساب الطريق بين مكانين.', 'الحصول على السعر الحالي لسهم.',
    ],
  },
}
