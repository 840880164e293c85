import BoardProtocol
import Glibc
import HILPOSIX
import RadioModel

/// The command line of `hil-board agent`.
package struct AgentOptions: Sendable, Equatable {
    /// Where the agent exchanges messages with the runner.
    package enum Port: Sendable, Equatable {
        /// A port of a virtio console.
        case device(String)
        /// Standard input and output: `ssh BOARD hil-board agent --stdio`.
        case standardStreams
    }

    /// Why the arguments are not valid, as a sentence.
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    package var port = Port.device("/dev/vport0p1")
    /// The file for the lines of the daemons; nil for standard error.
    package var journal: String?
    /// The port of a virtio console that offers a shell; nil for none.
    package var shell: String?
    package var role = BoardRole.host
    /// The Wi-Fi interface; nil for the first one.
    package var interface: String?
    /// The address of the Bluetooth adapter; nil for the first one.
    package var adapter: String?

    /// The usage text for people.
    package static let usage = """
        hil-board agent [--port DEVICE | --stdio] [--journal FILE] [--role host|accessory] [--interface NAME] \
                        [--adapter ADDRESS]
        """

    /// Parses the arguments after `agent`.
    ///
    /// - Parameter kernelCommandLine: Sets the role if no argument does: `hil.role=accessory`.
    /// - Throws: ``Mistake``.
    package init(_ arguments: [String], kernelCommandLine: String) throws(Mistake) {
        var role = try AgentOptions.role(inKernelCommandLine: kernelCommandLine)
        var journal: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            func value() throws(Mistake) -> String {
                guard let value = rest.popFirst() else { throw Mistake(description: "\(argument) needs a value") }
                return value
            }
            switch argument {
            case "--port": port = .device(try value())
            case "--stdio": port = .standardStreams
            case "--journal": journal = try value()
            case "--interface": interface = try value()
            case "--adapter":
                let text = try value()
                guard DeviceAddress(text) != nil else {
                    throw Mistake(description: "an adapter's address looks like 02:00:00:00:0A:01, not \(text)")
                }
                adapter = text
            case "--role":
                let text = try value()
                guard let named = BoardRole(rawValue: text) else {
                    throw Mistake(description: "a board's role is host or accessory, not \(text)")
                }
                role = named
            default: throw Mistake(description: "hil-board agent has no option \(argument)")
            }
        }
        self.role = role ?? .host
        shell = port == .standardStreams ? nil : "/dev/vport0p5"
        self.journal = journal ?? (port == .standardStreams ? nil : "/dev/vport0p4")
    }

    /// The role on the command line of a virtual board's kernel; nil if it has none.
    static func role(inKernelCommandLine line: String) throws(Mistake) -> BoardRole? {
        for word in line.split(whereSeparator: \.isWhitespace) where word.hasPrefix("hil.role=") {
            let text = String(word.dropFirst("hil.role=".count))
            guard let role = BoardRole(rawValue: text) else {
                throw Mistake(description: "the kernel was started with hil.role=\(text); a role is host or accessory")
            }
            return role
        }
        return nil
    }

    /// The command line of the running kernel.
    package static func kernelCommandLine() -> String {
        guard let file = try? Descriptor.open("/proc/cmdline", O_RDONLY), let bytes = try? file.read() else {
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
