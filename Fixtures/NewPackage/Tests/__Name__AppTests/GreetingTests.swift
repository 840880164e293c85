import Foundation
import Testing

@testable import __Name__App

struct GreetingTests {
    @Test("A greeting is text in UTF-8")
    func text() throws {
        #expect(try Greeting.text(of: Data("Hello".utf8)) == "Hello")
    }

    @Test("Other bytes are refused", arguments: [Data([0xFF, 0xFE]), Data(repeating: 65, count: 101)])
    func refused(_ bytes: Data) {
        #expect(throws: __Name__Error.notAText) { try Greeting.text(of: bytes) }
    }
}
