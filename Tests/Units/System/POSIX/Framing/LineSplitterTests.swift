import Testing

@testable import HILPOSIX

@Suite("Lines") struct LineSplitterTests {
    private func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test("are found however their bytes arrive, and none is longer than the limit")
    func truncated() {
        var splitter = LineSplitter(limit: 4)
        #expect(splitter.push(Array("ab".utf8)).isEmpty)
        #expect(splitter.push(Array("c\n\nlonger\nx".utf8)) == bytes("abc", "long"))
        #expect(splitter.finish() == Array("x".utf8) && splitter.finish() == nil)
        #expect(splitter.push(Array("abcdefgh".utf8)).isEmpty && splitter.push(Array("ijkl".utf8)).isEmpty)
        #expect(splitter.push(Array("\nnext\n".utf8)) == bytes("abcd", "next"))
    }

    @Test("that are too long are split if nothing may be lost")
    func cut() {
        var splitter = LineSplitter(limit: 4, overlong: .cut)
        #expect(splitter.push(Array("a\n\nb\r".utf8)) == bytes("a"))
        #expect(splitter.push(Array("c\nlonger line\nx".utf8)) == bytes("b\rc", "long", "er l", "ine"))
        #expect(splitter.push(Array("yz.\n".utf8)) == bytes("xyz."))
        #expect(splitter.finish() == nil)
    }

    @Test("are the same whether their bytes arrive one by one or at once", arguments: [1, 2, 3, 7])
    func oneByOne(limit: Int) {
        let text = Array("one\ntwo\n\nthree and a half\n\n\nfour".utf8)
        for overlong in [LineSplitter.Overlong.truncated, .cut] {
            var (whole, single) = (
                LineSplitter(limit: limit, overlong: overlong), LineSplitter(limit: limit, overlong: overlong)
            )
            let expected = whole.push(text)
            #expect(text.flatMap { single.push([$0]) } == expected)
            #expect(single.finish() == whole.finish())
            #expect(expected.allSatisfy { !$0.isEmpty && $0.count <= limit })
        }
    }
}
