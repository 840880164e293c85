import HILPhone

/// How important a line of the log is. Source: os, OSLogType.
public struct OSLogType: Sendable, Hashable, RawRepresentable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(0x00)
    public static let info = OSLogType(0x01)
    public static let debug = OSLogType(0x02)
    public static let error = OSLogType(0x10)
    public static let fault = OSLogType(0x11)

    var name: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "notice"
        }
    }
}

/// Where lines of the log belong. Source: os, OSLog.
public final class OSLog: NSObject, Sendable {
    let subsystem: String
    let category: String
    let isDisabled: Bool

    private init(subsystem: String, category: String, isDisabled: Bool) {
        self.subsystem = subsystem
        self.category = category
        self.isDisabled = isDisabled
    }

    /// A log for a part of an app.
    ///
    /// - Parameters:
    ///   - subsystem: Usually the app's bundle identifier.
    ///   - category: A part of the app.
    public convenience init(subsystem: String, category: String) {
        self.init(subsystem: subsystem, category: category, isDisabled: false)
    }

    public static let `default` = OSLog(subsystem: "", category: "default", isDisabled: false)
    /// Drops every line.
    public static let disabled = OSLog(subsystem: "", category: "", isDisabled: true)

    public func isEnabled(type: OSLogType) -> Bool { !isDisabled }

    /// Writes a line into the events of the phone that runs the app, or to standard error without a phone.
    func write(_ text: String, _ type: OSLogType) {
        guard !isDisabled else { return }
        let line = "\(category): \(type.name): \(text)"
        guard let phone = Phone.currentIfAny else {
            return FileHandle.standardError.write(Data("\(line)\n".utf8))
        }
        phone.record(.note("app log", line))
    }
}

/// Writes an app's log into the events of its phone. Source: os, Logger.
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger for a part of an app.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }
    public init(_ logObj: OSLog) { log = logObj }
    public init() { log = .default }

    public func log(_ message: OSLogMessage) { log.write(message.text, .default) }
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message.text, level) }
    public func trace(_ message: OSLogMessage) { log.write(message.text, .debug) }
    public func debug(_ message: OSLogMessage) { log.write(message.text, .debug) }
    public func info(_ message: OSLogMessage) { log.write(message.text, .info) }
    public func notice(_ message: OSLogMessage) { log.write(message.text, .default) }
    public func warning(_ message: OSLogMessage) { log.write(message.text, .error) }
    public func error(_ message: OSLogMessage) { log.write(message.text, .error) }
    public func critical(_ message: OSLogMessage) { log.write(message.text, .fault) }
    public func fault(_ message: OSLogMessage) { log.write(message.text, .fault) }
}
