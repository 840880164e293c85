import HILPOSIX

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request to a board's shell port for a session.
package struct ShellRequest: Sendable, Codable, Equatable {
    /// Chosen by the client. Messages belong to this session only after the answer with the same number.
    package var token: UInt64
    /// The program and its arguments. Empty for an interactive shell; a single word is a command line for the shell.
    package var command: [String]
    /// The terminal for the program; nil connects it to pipes.
    package var terminal: Terminal?

    /// The terminal of the person who uses the shell.
    package struct Terminal: Sendable, Codable, Equatable {
        /// The value of `TERM`.
        package var kind: String
        package var size: Size

        package init(kind: String, size: Size) {
            self.kind = kind
            self.size = size
        }
    }

    /// The size of a terminal in characters.
    package struct Size: Sendable, Codable, Equatable {
        package var rows: UInt16
        package var columns: UInt16

        package init(rows: UInt16, columns: UInt16) {
            self.rows = rows
            self.columns = columns
        }
    }

    package init(token: UInt64, command: [String] = [], terminal: Terminal? = nil) {
        self.token = token
        self.command = command
        self.terminal = terminal
    }
}

/// A message on a board's shell port, one ``HILPOSIX/Frame`` each. There is one session at a time, from `open` to
/// `ended`.
package enum ShellMessage: Sendable, Equatable {
    /// To the board: start a session, and end the previous one.
    case open(ShellRequest)
    /// To the board: typed input; empty at the end of the input.
    case input([UInt8])
    /// To the board: the terminal has a new size.
    case resize(ShellRequest.Size)
    /// From the board: the session has started.
    case opened(token: UInt64)
    /// From the board: output of the program to its terminal or standard output.
    case output([UInt8])
    /// From the board: output of the program to standard error, without a terminal.
    case errors([UInt8])
    /// From the board: the program has ended. The code is 128 plus the signal's number if a signal ended it.
    case ended(code: Int32)
    /// From the board: why there is no session, or why it has ended.
    case failed(String)

    /// The frame to send.
    package var frame: Frame {
        switch self {
        case .open(let request): Frame(kind: 1, payload: Array((try? JSONEncoder().encode(request)) ?? Data()))
        case .input(let bytes): Frame(kind: 2, payload: bytes)
        case .resize(let size): Frame(kind: 3, payload: littleEndian(size.rows) + littleEndian(size.columns))
        case .opened(let token): Frame(kind: 4, payload: littleEndian(token))
        case .output(let bytes): Frame(kind: 5, payload: bytes)
        case .errors(let bytes): Frame(kind: 6, payload: bytes)
        case .ended(let code): Frame(kind: 7, payload: littleEndian(UInt32(bitPattern: code)))
        case .failed(let why): Frame(kind: 8, payload: Array(why.utf8))
        }
    }

    /// Reads a frame; nil if it is not a message.
    package init?(_ frame: Frame) {
        let bytes = frame.payload
        func number<Number: FixedWidthInteger>(at place: Int = 0, _: Number.Type) -> Number? {
            let size = MemoryLayout<Number>.size
            guard bytes.count >= place + size else { return nil }
            return (0..<size).reduce(0) { $0 | Number(bytes[place + $1]) << Number(8 * $1) }
        }
        switch frame.kind {
        case 1:
            guard let request = try? JSONDecoder().decode(ShellRequest.self, from: Data(bytes)) else { return nil }
            self = .open(request)
        case 2: self = .input(bytes)
        case 3:
            guard let rows = number(UInt16.self), let columns = number(at: 2, UInt16.self) else { return nil }
            self = .resize(ShellRequest.Size(rows: rows, columns: columns))
        case 4:
            guard let token = number(UInt64.self) else { return nil }
            self = .opened(token: token)
        case 5: self = .output(bytes)
        case 6: self = .errors(bytes)
        case 7:
            guard let code = number(UInt32.self) else { return nil }
            self = .ended(code: Int32(bitPattern: code))
        case 8: self = .failed(String(decoding: bytes, as: UTF8.self))
        default: return nil
        }
    }
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}
