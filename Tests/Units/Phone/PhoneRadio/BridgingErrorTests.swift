import HILBluetoothHost
import RadioModel
import Testing

@testable import HILPhoneRadio

@Suite("What an app hears of failed bridging")
struct BridgingErrorTests {
    private func error(_ failure: BridgingFailure) -> RadioError { RadioError(StackFailure.bridging(failure)) }

    @Test("The kind of the error says whether the phone, the pairing or the connection lacks something; the words stay")
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
