import DieProtocol
import Testing

@Suite struct DieServiceTests {
    @Test func theDiesAnswerIsDecodedAsItWasEncoded() throws {
        let answer = DieService.Answer(roll: Roll(number: 12, face: 5), serialNumber: "D6 0001")
        #expect(try DieService.Answer(decoding: answer.line) == answer)
        for line in ["", "ROLL\n", "ROLL 1 2 x", "ROLL 1 0 x\n", "ROLL -1 2 x\n", "ROLL 1 999 x\n", "ROLL 1 2 \n"] {
            #expect(throws: DieProtocolError.self) { try DieService.Answer(decoding: line) }
        }
    }
}
