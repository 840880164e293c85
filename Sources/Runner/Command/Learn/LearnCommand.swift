import Foundation
import HILConversation
import HILPOSIX

/// `hil learn FILE…`: writes the habits of the phone in captures as a personality in Swift.
struct LearnCommand {
    let request: Request.Learning
    /// The folder of the runs' folders.
    let results: String
    /// Called with the lines to print.
    let say: ([String]) -> Void
    /// Called with a message that is not a result.
    let note: (String) -> Void

    func run() async throws {
        var conversations: [Conversation] = []
        for name in request.captures {
            let found = try PhoneCapture.find(name, in: results)
            let file = PhoneCapture(path: found.path, name: sources[name])
            // Of one link captured at several places, the phone's own HCI tells most.
            let all = try await file.conversations(with: request.accessory, of: request.phone, on: request.network)
            try tellRoles(all, in: file)
            conversations += all.filter { $0.vantage == all.first?.vantage && $0.vantage != .wifi }
            conversations += onWiFi(all, in: file)
        }
        let phone = LearnedPhone(conversations)
        // Habits of Wi-Fi cannot be played; they are listed.
        guard !phone.habits.isEmpty || !phone.unplayable.isEmpty && request.out == nil else {
            throw UsageError(description: "these captures show nothing of a phone's habits")
        }
        let captures = request.captures.map { sources[$0] ?? URL(fileURLWithPath: $0).lastPathComponent }
        let text: PersonalityText
        do { text = try PersonalityText(name: request.name, captures: captures) } catch {
            throw UsageError(description: "\(error)")
        }
        try write(phone, text, conversations)
    }

    /// How sources name the captures whose files have the same name: as the person named them.
    private var sources: [String: String] {
        let groups = Dictionary(grouping: Set(request.captures)) { URL(fileURLWithPath: $0).lastPathComponent }
        return Dictionary(uniqueKeysWithValues: groups.values.filter { $0.count > 1 }.joined().map { ($0, $0) })
    }

    /// Of a host that is a peripheral in each link, the other end is the one with a central's habits.
    func tellRoles(_ conversations: [Conversation], in file: PhoneCapture) throws(UsageError) {
        guard let first = conversations.first, first.vantage == .accessoryHost else { return }
        let peers = first.phones.prefix(10).joined(separator: ", ")
        guard !first.isFromPacketLogger else {
            throw UsageError(
                description: PlainText.line(
                    "\(file.path) has the phone as a peripheral only, of the central \(peers), and teaches no habit of a "
                        + "central: capture a link that the phone opens"))
        }
        note(
            PlainText.line(
                "\(file.name): its host is the peripheral of each link, so that it is taken as the accessory's board, and "
                    + "\(peers) as the phone. If it is the phone's own HCI, it has the phone as a peripheral only, and "
                    + "teaches no habit of a central: capture a link that the phone opens"))
    }

    /// What one station did over Wi-Fi: of several, nothing says which is the phone.
    private func onWiFi(_ all: [Conversation], in file: PhoneCapture) -> [Conversation] {
        let found = all.filter { $0.vantage == .wifi }
        guard Set(found.flatMap(\.phones)).count > 1 else { return found }
        let stations = found.map { "\($0.phones.joined(separator: ", ")) in \($0.peer)" }.prefix(10)
        note(
            PlainText.line(
                "\(file.name): Wi-Fi is left out, because several join: \(stations.joined(separator: "; ")); choose the "
                    + "phone with --network"))
        return []
    }

    private func write(_ phone: LearnedPhone, _ text: PersonalityText, _ conversations: [Conversation]) throws {
        let remarks = text.remarks(phone).map { PlainText.line($0) }
        if request.format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return say([String(decoding: try encoder.encode(phone), as: UTF8.self)])
        }
        guard let out = request.out else {
            if !phone.habits.isEmpty {
                say(
                    text.source(phone).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                        .map(String.init))
            }
            return say(phone.habits.isEmpty ? Array(remarks.drop { $0.isEmpty }) : remarks)
        }
        try write(text.source(phone), to: out)
        for one in conversations {
            let phones = one.phones.joined(separator: ", ")
            say([
                PlainText.line(
                    "\(one.name): \(one.vantage.rawValue), phone \(phones), \(one.peer), "
                        + "\(one.procedures.count) procedures")
            ])
        }
        say(["\(out): \(phone.habits.count) habits; play them with lab.phone.personality = .\(request.name)"] + remarks)
    }

    /// Writes a personality over none, or over an earlier one: any other file is somebody's work.
    private func write(_ source: String, to out: String) throws {
        let place = URL(fileURLWithPath: out).resolvingSymlinksInPath()
        let before = try? FileManager.default.attributesOfItem(atPath: place.path)[.type] as? FileAttributeType
        if let before {
            let isOurs =
                before == .typeRegular
                && (try? String(contentsOf: place, encoding: .utf8))?.hasPrefix(PersonalityText.firstWords) == true
            guard isOurs else {
                throw UsageError(
                    description: "\(out) exists, and was not written by `hil learn`: delete it, or choose another --out"
                )
            }
        }
        do { try Data(source.utf8).write(to: place, options: .atomic) } catch {
            throw UsageError(
                description: "the personality cannot be written to \(out): is its folder there, and may you "
                    + "write to it?")
        }
    }
}
