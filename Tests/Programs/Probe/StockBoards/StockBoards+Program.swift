import Foundation
import HILPOSIX

@testable import VirtualRig

extension StockBoards {
    /// Benches that nobody of ours has booted, as a program of its own.
    ///
    /// Each is two boards with Debian's own services, which can be reached by SSH alone, and an air for their
    /// radios. It prints `ready FILE`, the path of an SSH configuration that names the boards `host-1`, `accessory-1`,
    /// `host-2` and so on. Then it takes orders from standard input, a line each, and answers each by `done` or
    /// `failed REASON`: see ``perform(_:)``. All of it ends with standard input.
    ///
    /// - Parameter arguments: The image, and the number of benches.
    static func run(_ arguments: [String]) async -> Never {
        signal(SIGPIPE, SIG_IGN)
        guard arguments.count == 2, let count = Int(arguments[1]), 1...8 ~= count else {
            complain("usage: hil-probe boards IMAGE BENCHES")
            exit(64)
        }
        do {
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let disk = try await AgentDisk.prepare(program: RigPrograms.built().board, cache: .standard()) {
                complain($0)
            }
            let kernel = await nativeKernel()
            complain("the boards are \(kernel == nil ? "emulated" : "native")")
            let boards = StockBoards(image: arguments[0], agentDisk: disk, folder: folder, kernel: kernel)
            try await boards.start(count)
            say("ready \(folder)/ssh_config")
            while let line = readLine() {
                do {
                    try await boards.perform(line.split(separator: " ").map(String.init))
                    say("done")
                } catch { say("failed \(error)") }
            }
            await boards.stop()
        } catch {
            complain("\(error)")
            exit(1)
        }
        exit(0)
    }

    /// The kernel of native boards, if it is built and can have a network here, and if `HIL_STOCK_BOARDS` does not ask for
    /// emulated boards.
    private static func nativeKernel() async -> NativeKernel? {
        guard ProcessInfo.processInfo.environment["HIL_STOCK_BOARDS"] != "qemu", let checkout = try? Checkout.get()
        else {
            return nil
        }
        guard await NativeStockMachine.isPossible() else { return nil }
        return await KernelBuild(cache: .standard(), recipe: "\(checkout)/Fixtures/NativeKernel").find()
    }

    private static func makeFolder() throws -> String {
        var template = Array("/tmp/hil-stock-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(code: errno, action: "making a folder in /tmp") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func say(_ line: String) { try? Descriptor(adopting: dup(1)).write(Array("\(line)\n".utf8)) }

    private static func complain(_ line: String) {
        try? Descriptor(adopting: dup(2)).write(Array("hil-probe boards: \(line)\n".utf8))
    }
}
