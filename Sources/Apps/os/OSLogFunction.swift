// The older way to log. Source: os, os_log.

/// Writes a line with a format of C.
///
/// - Parameters:
///   - message: Text with `%d`, `%@`, `%{public}@`, `%{private}@` and the like; each stands for the next argument, as
///     Swift writes it.
///   - log: Where the line belongs.
///   - type: How important it is.
public func os_log(_ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ args: Any...) {
    log.write(FormattedMessage(message.description, args).text, type)
}

/// Writes a line with a format of C.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: StaticString, _ args: Any...) {
    log.write(FormattedMessage(message.description, args).text, type)
}

/// Writes a line with values that have their own privacy.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(message.text, .default) }

/// Writes a line with values that have their own privacy.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(message.text, type)
}

/// A format of C with its arguments.
struct FormattedMessage {
    private(set) var text = ""

    init(_ format: String, _ arguments: [Any]) {
        var rest = format[...]
        var arguments = arguments[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
                continue
            }
            var options = ""
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                options = String(rest[..<end])
                rest = rest[end...].dropFirst()
            }
            // Flags, width, precision and length.
            let conversion = rest.drop { "-+ #0123456789.*hlqztjL".contains($0) }
            guard let letter = conversion.first, letter.isLetter || letter == "@" else {
                text += "%"
                continue
            }
            rest = conversion.dropFirst()
            let value = arguments.popFirst().map { "\($0)" } ?? "<missing>"
            text += options.contains("private") || options.contains("sensitive") ? "<private>" : value
        }
        text += rest
    }
}
