import Glibc

/// Formats a point in time.
///
/// - Parameters:
///   - seconds: Seconds since 1970-01-01 00:00 UTC.
///   - format: A format of strftime(3): `%Y-%m-%d`.
///   - isLocal: True for this machine's time zone, false for UTC.
package func calendarText(_ seconds: Int, _ format: String, isLocal: Bool = false) -> String {
    var time = time_t(seconds)
    var parts = tm()
    if isLocal { localtime_r(&time, &parts) } else { gmtime_r(&time, &parts) }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
