import Glibc

/// A moment as text.
///
/// - Parameters:
///   - seconds: Since 1970.
///   - format: As strftime(3) has it: `%Y-%m-%d`.
///   - isLocal: By this machine's time zone, rather than in UTC.
package func calendarText(_ seconds: Int, _ format: String, isLocal: Bool = false) -> String {
    var time = time_t(seconds)
    var parts = tm()
    if isLocal { localtime_r(&time, &parts) } else { gmtime_r(&time, &parts) }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
