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
            let file = try PhoneCapture.find(name, in: results)
            // Of one link captured at several places, the phone's own HCI tells most.
            let all = try await file.conversations(with: request.accessory)
            conversations += all.filter { $0.vantage == all.first?.vantage }
        }
        let phone = LearnedPhone(conversations)
        guard !phone.habits.isEmpty else {
            throw UsageError(description: "these captures show nothing of a phone's habits")
        }
        let captures = request.captures.map { URL(fileURLWithPath: $0).lastPathComponent }
        let text: PersonalityText
        do { text = try PersonalityText(name: request.name, captures: captures) } catch {
            throw UsageError(description: "\(error)")
        }
        try write(phone, text, conversations)
    }

    private func write(_ phone: LearnedPhone, _ text: PersonalityText, _ conversations: [Conversation]) throws {
        let remarks = text.remarks(phone).map { PlainText.line($0) }
        if request.format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return say([String(decoding: try encoder.encode(phone), as: UTF8.self)])
        }
        guard let out = request.out else {
            say(text.source(phone).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
            return say(remarks)
        }
        try Data(text.source(phone).utf8).write(to: URL(fileURLWithPath: out), options: .atomic)
        for one in conversations {
            let phones = one.phones.joined(separator: ", ")
            say([
                PlainText.line(
                    "\(one.name): \(one.vantage.rawValue), phone \(phones), accessory \(one.accessory), "
                        + "\(one.procedures.count) procedures")
            ])
        }
        say(["\(out): \(phone.habits.count) habits; play them with lab.phone.personality = .\(request.name)"] + remarks)
    }
}
