import BoardProtocol
import Foundation
import HILPOSIX
import Testing

@testable import BoardKeeper

@Suite("What a keeper hears")
struct HeardTests {
    private func heard(_ text: String) -> Heard {
        Heard(Frame(kind: KeeperProtocol.FrameKind.call, payload: Array(text.utf8)))
    }

    private func text(_ data: Data?) -> String { String(decoding: data ?? Data(), as: UTF8.self) }

    @Test("A heartbeat is answered at once, and every other call waits its turn")
    func calls() {
        let beat = heard(#"{"id":7,"order":{"beat":{"_0":{}}}}"#)
        #expect(beat.work == nil && beat.complaint == nil)
        #expect(text(beat.answer).contains(#""id":7"#) && text(beat.answer).contains("success"))
        let end = heard(#"{"id":8,"order":{"end":{"_0":{}}}}"#)
        guard case .call(.end, 8) = end.work, end.answer == nil else { return #expect(Bool(false), "\(end)") }
    }

    @Test("A call that it does not know is answered by its name, and its values are not shown")
    func unknown() {
        let unknown = heard(#"{"id":7,"order":{"dance":{"passphrase":"swordfish"}}}"#)
        #expect(unknown.work == nil && unknown.complaint == "the call dance: it is unknown here")
        #expect(text(unknown.answer).contains("the call dance: it is unknown here"))
        #expect(text(unknown.answer).contains("run `hil bench prepare` again"))
        #expect(!"\(unknown)\(text(unknown.answer))".contains("swordfish"))
    }

    @Test("The agent gets its bytes; anything else is complained about")
    func others() {
        guard case .agent([1, 2])? = Heard(Frame(kind: KeeperProtocol.FrameKind.agent, payload: [1, 2])).work else {
            return #expect(Bool(false))
        }
        #expect(heard("{").complaint == "a frame of 1 bytes is no call")
        #expect(Heard(Frame(kind: 99, payload: [])).complaint == "a frame has the unknown kind 99")
    }

    /// The message of version 2, whose keepers and runners compare versions in the first call.
    @Test("Keepers and runners of version 2 understand the first call, and its refusal")
    func versionTwo() throws {
        struct Order: Decodable {
            enum Command: Decodable { case look(version: Int) }
            var id: UInt32
            var order: Command
        }
        struct Reply2: Decodable {
            enum Outcome: Decodable { case success(Int), failure(KeeperFailure) }
            var id: UInt32
            var outcome: Outcome
        }
        let call = NumberedCall(id: 7, call: KeeperCall.look(version: 3, Reply()))
        let order = try JSONDecoder().decode(Order.self, from: JSONEncoder().encode(call))
        guard case .look(version: 3) = order.order else { return #expect(Bool(false), "\(order)") }
        let refusal = Answerer<KeeperCall>.answer(7, .failure(KeeperFailure("another version", remedy: "prepare")))
        let reply = try JSONDecoder().decode(Reply2.self, from: refusal)
        guard case .failure(KeeperFailure("another version", remedy: "prepare")) = reply.outcome else {
            return #expect(Bool(false), "\(reply)")
        }
        // A runner of version 2 says nothing of a reply.
        let old = heard(#"{"id":7,"order":{"look":{"version":2}}}"#)
        #expect(text(old.answer).contains("run `hil bench prepare` again"))
    }
}
