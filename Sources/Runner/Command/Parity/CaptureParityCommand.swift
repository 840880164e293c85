import Foundation
import HILConversation
import HILPOSIX

/// `hil parity FILE RUN/SCENARIO`: where a phone in a capture and the phone of a run differ.
struct CaptureParityCommand {
    let request: Request.ParityRequest
    /// The folder of the runs' folders.
    let results: String
    /// Called with the lines to print.
    let say: ([String]) -> Void

    /// The exit code if a difference is of a sort that `--fail-on` names.
    static let different: Int32 = 4

    /// - Returns: The exit code.
    func run() async throws -> Int32 {
        let (one, two) = (
            try await PhoneCapture.find(request.first, in: results).conversations(with: request.accessory),
            try await PhoneCapture.find(request.second, in: results).conversations(
                with: request.secondAccessory)
        )
        guard let (first, second) = CaptureParityCommand.pair(one, two) else {
            throw UsageError(description: "one of the captures shows no phone with an accessory")
        }
        let parity = ConversationParity(first, second)
        if request.format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            say([String(decoding: try encoder.encode(parity), as: UTF8.self)])
        } else {
            say(ConversationParityText(first, second).lines(parity).map { PlainText.line($0) })
        }
        let isFailing = parity.differences.contains { request.failOn.contains($0.sort) }
        return isFailing ? CaptureParityCommand.different : 0
    }

    /// One conversation of each capture, made at the same place if possible.
    private static func pair(_ one: [Conversation], _ two: [Conversation]) -> (Conversation, Conversation)? {
        for first in one {
            if let second = two.first(where: { $0.vantage == first.vantage }) { return (first, second) }
        }
        guard let first = one.first, let second = two.first else { return nil }
        return (first, second)
    }
}
