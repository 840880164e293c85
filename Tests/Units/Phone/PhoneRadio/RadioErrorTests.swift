import HILBluetoothHost
import RadioModel
import TestSupport
import Testing

@testable import HILPhoneRadio

@Suite("What an app hears of the host stack's failures")
struct RadioErrorTests {
    private func error(_ failure: BridgingFailure) -> RadioError { RadioError(StackFailure.bridging(failure)) }

    @Test(
        "A request on a link that ends fails for that, one without an answer or with a wrong one does not",
        .covers("C25"))
    func requests() {
        func error(_ failure: GATTFailure) -> RadioError { RadioError(StackFailure.gatt(failure)) }
        #expect(error(.lost("the link has ended")) == .notConnected)
        #expect(error(.timedOut("Write Request had no answer")) == .attributeProtocol("Write Request had no answer"))
        #expect(error(.broken("an answer without a value")) == .attributeProtocol("an answer without a value"))
        #expect(error(.refused(.writeNotPermitted, handle: 3)) == .attribute(code: 0x03))
    }

    @Test(
        "Of failed bridging, the kind of the error says whether the phone, the pairing or the connection lacks something; the words stay"
    )
    func kinds() {
        #expect(error(.noClassicController) == .unsupported("this phone's controller has no classic Bluetooth"))
        #expect(error(.noKey) == .pairingFailed("\(BridgingFailure.noKey)"))
        #expect(
            error(.notConnected(.pageTimeout))
                == .connectionFailed("no classic connection: the device did not answer the page (0x04)"))
        #expect(
            error(.keyTooShort(1, least: 7))
                == .connectionFailed("the key of the classic link is too short: 1 byte; 7 are needed"))
    }
}
