import Glibc

/// Days in UTC as text: `2026-12-31`.
public enum UTCDay {
    /// The day that it is.
    public static var today: String { text(time(nil)) }

    /// The day of a moment, in seconds since 1970.
    static func text(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 16)
        let count = strftime(&text, text.count, "%Y-%m-%d", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
