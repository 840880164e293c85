/// Names of the numbers in packets of HCI, ATT and the security manager (Bluetooth Core 5.4; volume 1, part F; volume 3,
/// parts F and H; volume 4, part E).
enum HCINames {
    static func command(_ code: UInt16) -> String { commands[code] ?? "command \(PacketBytes.hex(code))" }

    static func status(_ code: UInt8) -> String { statuses[code] ?? "status 0x\(PacketBytes.hex(code))" }

    private static let commands: [UInt16: String] = [
        0x0401: "Inquiry", 0x0402: "Inquiry Cancel", 0x0405: "Create Connection", 0x0406: "Disconnect",
        0x0408: "Create Connection Cancel", 0x0409: "Accept Connection Request", 0x040A: "Reject Connection Request",
        0x040B: "Link Key Request Reply", 0x040C: "Link Key Request Negative Reply", 0x0411: "Authentication Requested",
        0x0413: "Set Connection Encryption", 0x0419: "Remote Name Request", 0x041B: "Read Remote Supported Features",
        0x041D: "Read Remote Version Information", 0x080F: "Write Default Link Policy Settings",
        0x0C01: "Set Event Mask", 0x0C03: "Reset", 0x0C05: "Set Event Filter", 0x0C12: "Delete Stored Link Key",
        0x0C13: "Write Local Name", 0x0C14: "Read Local Name", 0x0C18: "Write Page Timeout",
        0x0C16: "Write Connection Accept Timeout", 0x0C1A: "Write Scan Enable", 0x0C1B: "Read Page Scan Activity",
        0x0C1C: "Write Page Scan Activity", 0x0C20: "Write Authentication Enable", 0x0C23: "Read Class of Device",
        0x0C24: "Write Class of Device", 0x0C25: "Read Voice Setting", 0x0C33: "Host Buffer Size",
        0x0C38: "Read Number of Supported IAC", 0x0C39: "Read Current IAC LAP", 0x0C3A: "Write Current IAC LAP",
        0x0C45: "Write Inquiry Mode", 0x0C46: "Read Page Scan Type", 0x0C47: "Write Page Scan Type",
        0x0C52: "Write Extended Inquiry Response", 0x0C56: "Write Simple Pairing Mode",
        0x0C58: "Read Inquiry Response Transmit Power", 0x0C63: "Set Event Mask Page 2",
        0x0C6C: "Read LE Host Support", 0x0C6D: "Write LE Host Support", 0x0C7A: "Write Secure Connections Support",
        0x1001: "Read Local Version", 0x1002: "Read Local Commands", 0x1003: "Read Local Features",
        0x1004: "Read Local Extended Features", 0x1005: "Read Buffer Size", 0x1009: "Read BD_ADDR",
        0x100B: "Read Local Codecs", 0x1405: "Read RSSI", 0x2001: "LE Set Event Mask", 0x2002: "LE Read Buffer Size",
        0x2003: "LE Read Local Features", 0x2005: "LE Set Random Address", 0x2006: "LE Set Advertising Parameters",
        0x2007: "LE Read Advertising Transmit Power", 0x2008: "LE Set Advertising Data",
        0x2009: "LE Set Scan Response Data", 0x200A: "LE Set Advertising Enable", 0x200B: "LE Set Scan Parameters",
        0x200C: "LE Set Scan Enable", 0x200D: "LE Create Connection", 0x200E: "LE Create Connection Cancel",
        0x200F: "LE Read Filter Accept List Size", 0x2010: "LE Clear Filter Accept List",
        0x2011: "LE Add Device To Filter Accept List", 0x2012: "LE Remove Device From Filter Accept List",
        0x2013: "LE Connection Update", 0x2016: "LE Read Remote Features", 0x2017: "LE Encrypt", 0x2018: "LE Rand",
        0x2019: "LE Enable Encryption", 0x201A: "LE Long Term Key Request Reply",
        0x201B: "LE Long Term Key Request Negative Reply", 0x201C: "LE Read Supported States",
        0x2020: "LE Connection Parameter Request Reply", 0x2022: "LE Set Data Length",
        0x2023: "LE Read Suggested Data Length", 0x2024: "LE Write Suggested Data Length",
        0x2027: "LE Add Device To Resolving List", 0x2028: "LE Remove Device From Resolving List",
        0x2029: "LE Clear Resolving List", 0x202A: "LE Read Resolving List Size",
        0x202D: "LE Set Address Resolution Enable", 0x202E: "LE Set Private Address Timeout",
        0x202F: "LE Read Maximum Data Length", 0x2031: "LE Set Default PHY",
        0x2035: "LE Set Advertising Set Random Address", 0x2036: "LE Set Extended Advertising Parameters",
        0x2037: "LE Set Extended Advertising Data", 0x2038: "LE Set Extended Scan Response Data",
        0x2039: "LE Set Extended Advertising Enable", 0x203A: "LE Read Maximum Advertising Data Length",
        0x203B: "LE Read Number of Advertising Sets", 0x203C: "LE Remove Advertising Set",
        0x203D: "LE Clear Advertising Sets", 0x2041: "LE Set Extended Scan Parameters",
        0x2042: "LE Set Extended Scan Enable", 0x2043: "LE Extended Create Connection",
        0x204B: "LE Read Transmit Power", 0x204E: "LE Set Privacy Mode", 0x2060: "LE Read Buffer Size 2",
        0x2074: "LE Set Host Feature",
    ]

    static let lowEnergy: [UInt8: String] = [
        0x01: "connection complete", 0x02: "advertising report", 0x03: "connection update complete",
        0x04: "remote features", 0x05: "long term key request", 0x06: "connection parameter request",
        0x07: "data length change", 0x0A: "enhanced connection complete", 0x0C: "PHY update complete",
        0x0D: "extended advertising report", 0x11: "scan timeout", 0x12: "advertising set terminated",
        0x14: "channel selection algorithm",
    ]

    private static let statuses: [UInt8: String] = [
        0x00: "success", 0x01: "unknown command", 0x02: "unknown connection", 0x05: "authentication failure",
        0x06: "PIN or key missing", 0x07: "memory exceeded", 0x08: "connection timeout", 0x0B: "connection exists",
        0x0C: "command disallowed", 0x0D: "rejected, limited resources", 0x0E: "rejected, security reasons",
        0x11: "unsupported feature", 0x12: "invalid parameters", 0x13: "ended by the remote user",
        0x14: "ended by the remote device, low resources", 0x15: "ended by the remote device, power off",
        0x16: "ended by the local host", 0x1A: "unsupported remote feature", 0x1F: "unspecified error",
        0x22: "link layer response timeout", 0x28: "instant passed", 0x3B: "unacceptable connection parameters",
        0x3C: "advertising timeout", 0x3D: "integrity check failed", 0x3E: "connection failed to be established",
        0x43: "limit reached", 0x42: "unknown advertising identifier",
    ]

    static let attribute: [UInt8: String] = [
        0x01: "error", 0x02: "MTU request", 0x03: "MTU response", 0x04: "find information request",
        0x05: "find information response", 0x06: "find by type request", 0x07: "find by type response",
        0x08: "read by type request", 0x09: "read by type response", 0x0A: "read request", 0x0B: "read response",
        0x0C: "read blob request", 0x0D: "read blob response", 0x0E: "read multiple request",
        0x0F: "read multiple response", 0x10: "read by group type request", 0x11: "read by group type response",
        0x12: "write request", 0x13: "write response", 0x16: "prepare write request", 0x17: "prepare write response",
        0x18: "execute write request", 0x19: "execute write response", 0x1B: "notification", 0x1D: "indication",
        0x1E: "confirmation", 0x20: "read multiple variable request", 0x21: "read multiple variable response",
        0x23: "multiple notifications", 0x52: "write command", 0xD2: "signed write command",
    ]

    static let attributeError: [UInt8: String] = [
        0x01: "invalid handle", 0x02: "read not permitted", 0x03: "write not permitted",
        0x05: "insufficient authentication", 0x06: "request not supported", 0x07: "invalid offset",
        0x08: "insufficient authorization", 0x0A: "attribute not found", 0x0C: "encryption key too short",
        0x0D: "invalid length", 0x0E: "unlikely error", 0x0F: "insufficient encryption", 0x11: "insufficient resources",
    ]

    static let security: [UInt8: String] = [
        0x01: "pairing request", 0x02: "pairing response", 0x03: "pairing confirm", 0x04: "pairing random",
        0x05: "pairing failed", 0x06: "encryption information", 0x07: "central identification",
        0x08: "identity information", 0x09: "identity address information", 0x0A: "signing information",
        0x0B: "security request", 0x0C: "pairing public key", 0x0D: "pairing DHKey check",
        0x0E: "keypress notification",
    ]

    static let securityFailure: [UInt8: String] = [
        0x01: "passkey entry failed", 0x02: "no out-of-band data", 0x03: "authentication requirements",
        0x04: "confirm value failed", 0x05: "pairing not supported", 0x06: "encryption key size",
        0x07: "command not supported", 0x08: "unspecified reason", 0x09: "repeated attempts",
        0x0A: "invalid parameters",
        0x0B: "DHKey check failed", 0x0C: "numeric comparison failed", 0x0E: "key rejected",
    ]
}
