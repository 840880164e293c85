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
            try await PhoneCapture.find(request.first, in: results).conversations(
                with: request.accessory, of: request.phone, on: request.network),
            try await PhoneCapture.find(request.second, in: results).conversations(
                with: request.secondAccessory, of: request.secondPhone, on: request.secondNetwork)
        )
        let radios = ConversationPairs(one, two)
        guard !radios.pairs.isEmpty else {
            throw UsageError(
                description: "the captures have nothing in common: \(radios.limits.joined(separator: "; "))")
        }
        let parity = ConversationParity(
            joining: radios.pairs.map { ConversationParity($0.first, $0.second) }, limits: radios.limits)
        if request.format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            say([String(decoding: try encoder.encode(parity), as: UTF8.self)])
        } else {
            say(ConversationParityText(radios.pairs).lines(parity).map { PlainText.line($0) })
        }
        let isFailing = parity.differences.contains { request.failOn.contains($0.sort) }
        return isFailing ? CaptureParityCommand.different : 0
    }
}
