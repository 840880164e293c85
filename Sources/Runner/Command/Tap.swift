import Foundation
import HILAir
import HILExecution
import HILPOSIX
import RadioModel
import RigModel
import Synchronization
import VirtualRig

/// `hil tap`: shows the packets on the air of every running rig of a checkout, decoded by tshark, one per line, until it is
/// ended.
struct Tap {
    /// A display filter of Wireshark, for example `btatt || eapol`; nil shows everything.
    let filter: String?
    /// The folder of the package whose rigs are followed.
    let checkout: String
    /// Called with each packet's line.
    let say: @Sendable (String) -> Void
    /// Called with messages about the tap.
    let note: @Sendable (String) -> Void

    /// The number of rigs that are being followed.
    private let active = Shared(0)
    /// The team's names for its UUIDs.
    private let names: [String: String]
    private let failure = Shared<(any Error)?>(nil)

    init(
        filter: String?, checkout: String, say: @escaping @Sendable (String) -> Void,
        note: @escaping @Sendable (String) -> Void
    ) {
        (self.filter, self.checkout) = (filter, checkout)
        names = TeamNames.find(in: checkout)
        self.say = say
        self.note = note
    }

    /// Follows all rigs. It does not return, except if tshark cannot run.
    ///
    /// - Throws: ``UsageError`` at once if the filter is not valid.
    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        try await checkFilter()
        var seen: Set<String> = []
        var isWaiting = false
        try await withThrowingTaskGroup(of: Void.self) { group in
            while true {
                for folder in RunningRigs.folders(of: checkout) where seen.insert(folder).inserted {
                    active.change { $0 += 1 }
                    group.addTask {
                        do { try await follow(folder) } catch { failure.value = error }
                        active.change { $0 -= 1 }
                    }
                }
                if let error = failure.value { throw error }
                if active.value == 0, !isWaiting { note("waiting for a rig to start; end with Ctrl-C") }
                isWaiting = active.value == 0
                // Folders change at several levels, so looking repeatedly is simpler than events.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// A capture without packets: only a section header (pcapng, 4.1).
    private static let emptyCapture: [UInt8] =
        [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0]
        + [UInt8](repeating: 0xFF, count: 8) + [28, 0, 0, 0]

    /// Checks the filter by running tshark on an empty capture.
    private func checkFilter() async throws {
        guard let filter else { return }
        let (input, errors) = (try Descriptor.pipe(), try Descriptor.pipe())
        let child: ChildProcess
        do {
            child = try ChildProcess.spawn(
                ["tshark", "-n", "-r", "-", "-Y", filter],
                streams: [.descriptor(input.read), .null, .descriptor(errors.write)])
        } catch { throw Tap.cannotStart(error) }
        for end in [input.read, errors.write] { end.close() }
        // tshark may have ended already because of the filter.
        try? input.write.write(Tap.emptyCapture)
        input.write.close()
        var errorLines: [String] = []
        Tap.eachLine(of: errors.read) { if !$0.hasPrefix("Running as user") { errorLines.append($0) } }
        guard await !child.wait().isSuccess else { return }
        throw UsageError(
            description: "“\(filter)” is not a display filter of Wireshark: \(errorLines.joined(separator: "; "))")
    }

    private static func cannotStart(_ error: any Error) -> RigFailure {
        RigFailure("decoding the air", "\(error)", remedy: "run `make setup`, which installs tshark")
    }

    /// Shows the packets of one rig until its end.
    private func follow(_ folder: String) async throws {
        // The folder may belong to a rig that was killed; then there is no answer.
        guard let air = try? await AirClient.connect(to: "\(folder)/air.sock", within: .milliseconds(200)),
            let path = try await capture(of: air)
        else { return }
        // A capture is in the folder of its scenario.
        let scenario = URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
        note("the air of \(scenario), \(folder)")
        let isGone = Shared(false)
        let watch = Task { [events = air.events] in
            _ = try? await events.first(within: .seconds(1_000_000), waitingFor: "the air's end", where: { _ in false })
            isGone.value = true
        }
        defer { watch.cancel() }
        try await decode(path, as: scenario) { isGone.value }
        await air.close()
        note("the rig of \(scenario) has ended")
    }

    /// Waits until the rig writes a capture, and returns its path; nil if the air ends first.
    private func capture(of air: AirClient) async throws -> String? {
        while let status = try? await air.status() {
            if let path = status.capturePath { return path }
            // There is no event for the start of a capture.
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    /// Feeds a growing capture to tshark.
    private func decode(_ path: String, as scenario: String, until isOver: () -> Bool) async throws {
        let (input, output, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let arguments =
            ["tshark", "-l", "-n", "-r", "-", "-T", "tabs", "-o", "gui.column.format:\(TapLine.columns)"]
            + TeamNames.tsharkOptions(names, in: folder)
        let child: ChildProcess
        do {
            child = try ChildProcess.spawn(
                arguments + (filter.map { ["-Y", $0] } ?? []),
                streams: [.descriptor(input.read), .descriptor(output.write), .descriptor(errors.write)])
        } catch { throw Tap.cannotStart(error) }
        for end in [input.read, output.write, errors.write] { end.close() }
        let errorLines = Shared<[String]>([])
        startThread(named: "tap-errors") {
            Tap.eachLine(of: errors.read) { line in
                if !line.hasPrefix("Running as user") { errorLines.change { $0.append(line) } }
            }
        }
        startThread(named: "tap-packets") { [say, active] in
            Tap.eachLine(of: output.read) { line in
                guard let text = TapLine.text(of: line) else { return }
                say(active.value > 1 ? "\(text)  [\(scenario)]" : text)
            }
        }
        let file = try Descriptor.open(path, O_RDONLY)
        while child.status == nil {
            let wasOver = isOver()
            let bytes = try file.read()
            if bytes.isEmpty {
                if wasOver { break }
                // There is no event for a file that grows.
                try await Task.sleep(for: .milliseconds(50))
            } else if (try? input.write.write(bytes)) == nil {
                break
            }
        }
        input.write.close()
        let status = await child.wait()
        // If the rig has ended, tshark may exit with 2 because the last packet is cut.
        guard !status.isSuccess, !isOver() else { return }
        throw RigFailure("decoding the air", "tshark \(status): \(errorLines.value.joined(separator: "; "))")
    }

    private static func eachLine(of descriptor: Descriptor, _ take: (String) -> Void) {
        var lines = LineSplitter()
        while let bytes = try? descriptor.read(), !bytes.isEmpty {
            for line in lines.push(bytes) { take(String(decoding: line, as: UTF8.self)) }
        }
    }
}

/// A value that threads share.
private final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func change(_ body: (inout sending Value) -> Void) { state.withLock { body(&$0) } }
}
