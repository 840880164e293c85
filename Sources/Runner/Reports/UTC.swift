import Glibc

/// Moments as text, in UTC.
enum UTC {
    /// `2026-01-14T09:30:15Z`.
    static func text(_ nanoseconds: UInt64) -> String {
        var time = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
