/// How runs end, in the words of a picture.
enum EndingWords {
    /// Words for a value of `runs.end_reason`; an unknown one is its own word.
    static func of(_ reason: String, _ language: PictureLanguage) -> String {
        guard let words = known[reason] else { return TextFit.line(reason) }
        switch language {
        case .english: return words.0
        case .simplifiedChinese: return words.1
        case .traditionalChinese: return words.2
        case .spanish: return words.3
        }
    }

    /// Whether the reason says nothing of the app: the log just ends.
    static func isEndOfLog(_ reason: String) -> Bool { reason == "log_end" }

    private static let known: [String: (String, String, String, String)] = [
        "terminated": ("terminated", "正常终止", "正常終止", "terminada"),
        "killed_in_background": ("killed in background", "在后台被终止", "在背景被終止", "eliminada en segundo plano"),
        "abnormal_in_foreground": ("ended in use", "使用中异常结束", "使用中異常結束", "acabó en uso"),
        "launch_failure": ("failed to launch", "启动失败", "啟動失敗", "no arrancó"),
        "watchdog": ("watchdog", "看门狗", "看門狗", "watchdog"),
        "jetsam": ("out of memory", "内存不足", "記憶體不足", "sin memoria"),
        "crash": ("crashed", "崩溃", "當機", "falló"),
        "log_end": ("at the log's end", "于日志结束时", "於日誌結束時", "al fin del registro"),
    ]
}
