import Foundation
import HILConversation
import HILPOSIX
import RigModel

/// A file of captured packets: PacketLogger's, btsnoop, a sniffer's, or the rig's own. tshark reads it.
struct PhoneCapture {
    let path: String
    /// For sources and differences.
    let name: String

    /// - Parameter name: nil for the file's name.
    init(path: String, name: String? = nil) {
        self.path = path
        self.name = name ?? URL(fileURLWithPath: path).lastPathComponent
    }

    /// The file that a person named: itself, or the capture of `RUN/SCENARIO`.
    ///
    /// - Parameter results: The folder of the runs' folders.
    static func find(_ name: String, in results: String) throws(UsageError) -> PhoneCapture {
        if isFile(name) { return PhoneCapture(path: name) }
        let path = "\(try EvidenceFolder.find(name, in: results))/capture.pcapng"
        guard isFile(path) else { throw UsageError(description: "there is no \(path)") }
        return PhoneCapture(path: path)
    }

    /// Whether two names are those of captures, and not of runs: one is a file, or both are `RUN/SCENARIO`.
    static func areNamed(_ first: String, _ second: String, in results: String) -> Bool {
        isFile(first) || isFile(second) || [first, second].allSatisfy { (try? find($0, in: results)) != nil }
    }

    static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Who did what in the capture.
    ///
    /// - Parameters:
    ///   - accessory: The accessory's address; nil for the only one.
    ///   - phone: An address of the phone; nil for the only one.
    ///   - network: The Wi-Fi network: its name, or the address of its access point or of the phone; nil for all.
    /// - Throws: ``UsageError`` if it is no capture, or shows no link, or those of several accessories or phones.
    func conversations(
        with accessory: String? = nil, of phone: String? = nil, on network: String? = nil
    ) async throws -> [Conversation] {
        guard PhoneCapture.isFile(path) else { throw UsageError(description: "there is no file \(path)") }
        var reader = ConversationReader(name: name)
        let warning = try await read { line in
            do throws(UnreadableCapture) {
                if let frame = try CapturedFrame(line: line) { try reader.take(frame) }
            } catch { throw UsageError(description: "\(path): \(error)") }
        }
        var found = reader.conversations
        guard !found.isEmpty else { throw UsageError(description: nothing(reader.frames, warning)) }
        if let warning {
            for place in found.indices {
                found[place].gaps.append(warning)
                found[place].isPartial = true
            }
        }
        let onWiFi = try named(network, found.filter { $0.vantage == .wifi })
        let onBluetooth = try chosen(accessory, found.filter { $0.vantage != .wifi })
        guard !onBluetooth.isEmpty else { return onWiFi }
        return try CapturedPhones(path: path, conversations: onBluetooth).conversations(of: phone) + onWiFi
    }

    private func chosen(_ accessory: String?, _ found: [Conversation]) throws(UsageError) -> [Conversation] {
        guard let accessory else { return try only(found) }
        let chosen = found.filter { $0.accessory.lowercased() == accessory.lowercased() }
        guard chosen.isEmpty else { return chosen }
        throw UsageError(
            description: "\(path) has no link to \(accessory); it has links to \(PhoneCapture.list(found))")
    }

    private func named(_ network: String?, _ found: [Conversation]) throws(UsageError) -> [Conversation] {
        guard let network else { return found }
        let chosen = found.filter { one in
            one.network == network
                || ([one.accessory] + one.phones).contains { $0.lowercased() == network.lowercased() }
        }
        guard chosen.isEmpty else { return chosen }
        let names = found.map { "\($0.phones.joined(separator: ", ")) in \($0.peer)" }
        throw UsageError(
            description: "\(path) has nobody who joins \(network); it has "
                + (names.isEmpty ? "nobody who joins a network" : names.prefix(10).joined(separator: "; ")))
    }

    /// The conversations of one accessory, whose board may have been captured beside the phone.
    private func only(_ found: [Conversation]) throws(UsageError) -> [Conversation] {
        let ofPhone = found.filter { $0.vantage != .accessoryHost }
        guard Set(ofPhone.map(\.accessory)).count > 1 else { return found }
        throw UsageError(
            description:
                "\(path) has links to \(PhoneCapture.list(ofPhone)): name the accessory with --accessory ADDRESS")
    }

    private static func list(_ conversations: [Conversation]) -> String {
        var seen: Set<String> = []
        let names = conversations.map { "\($0.accessory) (\($0.procedures.count) procedures)" }
            .filter { seen.insert($0).inserted }
        return names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " and \(names.count - 10) more" : "")
    }

    private func nothing(_ frames: Int, _ warning: String?) -> String {
        let what =
            frames == 0
            ? "\(path) has no frame of Bluetooth LE or Wi-Fi"
            : "\(path) has \(frames) frames, but not the begin of an LE link, and nobody who joins a Wi-Fi network: start "
                + "the capture before the phone connects"
        return what + (warning.map { "; \($0)" } ?? "")
    }

    /// The longest line of tshark: a frame of 64 KB as digits, several times.
    private static let longestLine = 1 << 21

    /// Runs tshark, and gives each line that it prints.
    ///
    /// - Returns: What tshark says about a capture that is cut or damaged after good frames.
    private func read(_ take: ([UInt8]) throws -> Void) async throws -> String? {
        let (output, errors) = (try Descriptor.pipe(), try Descriptor.pipe())
        let arguments = [
            "tshark", "-n", "-r", path, "-o", "wlan.enable_decryption:TRUE", "-T", "ek", "-x", "-J",
            CapturedFrame.layers, "-Y", CapturedFrame.filter,
        ]
        let keys = try CaptureKeys(beside: path)
        defer { keys.remove() }
        let child: ChildProcess
        do {
            child = try ChildProcess.spawn(
                arguments, environment: keys.environment,
                streams: [.null, .descriptor(output.write), .descriptor(errors.write)],
                atParentDeath: .kill)
        } catch { throw RigFailure("reading \(path)", "\(error)", remedy: "run `make setup`, which installs tshark") }
        for end in [output.write, errors.write] { end.close() }
        let complaints = Task.detached { () -> [String] in
            var lines = LineSplitter()
            var kept: [String] = []
            while let bytes = try? errors.read.read(), !bytes.isEmpty {
                for line in lines.push(bytes) where kept.count < 20 {
                    kept.append(String(decoding: line, as: UTF8.self))
                }
            }
            return kept.filter { !$0.hasPrefix("Running as user") }
        }
        var lines = LineSplitter(limit: PhoneCapture.longestLine)
        var isAnyRead = false
        do {
            while let bytes = try? output.read.read(), !bytes.isEmpty {
                for line in lines.push(bytes) where !line.isEmpty {
                    isAnyRead = true
                    try take(line)
                }
            }
        } catch {
            child.signal(SIGKILL)
            _ = await child.wait()
            throw error
        }
        let status = await child.wait()
        let text = PlainText.line(await complaints.value.joined(separator: "; "))
        if status.isSuccess { return nil }
        if text.contains("cut short") { return "\(name) is cut in the middle of a frame; what comes before is read" }
        let why = text.isEmpty ? "\(status)" : text
        guard isAnyRead else {
            throw UsageError(description: "\(path) is not a capture that tshark can read: \(why)")
        }
        return "\(name) is damaged; what comes before is read (tshark: \(why))"
    }
}
