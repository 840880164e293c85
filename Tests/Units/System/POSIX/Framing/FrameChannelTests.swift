import Testing

@testable import HILPOSIX

@Suite("A channel of frames")
struct FrameChannelTests {
    @Test("carries frames both ways, in order, and ends when the peer is gone", .timeLimit(.minutes(1)))
    func bothWays() async throws {
        let (left, right) = try UnixSocket.pair()
        let here = FrameChannel(left, name: "here")
        let there = FrameChannel(right, name: "there")
        for kind in UInt8(0)..<100 { here.send(Frame(kind: kind, payload: Array(repeating: kind, count: 5_000))) }
        var kinds: [UInt8] = []
        for await case .frame(let frame) in there.items {
            kinds.append(frame.kind)
            if kinds.count == 100 { break }
        }
        #expect(kinds == Array(0..<100))
        there.close()
        var rest = here.items.makeAsyncIterator()
        #expect(await rest.next() == nil)
    }
}
