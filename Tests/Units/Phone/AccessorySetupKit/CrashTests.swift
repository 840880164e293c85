import AccessorySetupKit
import HILPhone
import HostRadio
import TestSupport
import Testing

/// An app whose Info.plist does not declare AccessorySetupKit.
private final class UndeclaredApp: AppUnderTest {
    static let bundle = AppBundle(
        identifier: "com.example.undeclared", infoPlist: fixture("DiceApp") + "/App.entitlements",
        resources: fixture("DiceApp"))
}

/// Where iOS would end the app, the process ends with the rule and the reason.
@Suite struct CrashTests {
    private func reason(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("Without NSAccessorySetupSupports, the first call of the framework ends the app", .covers("P1"))
    func undeclaredFramework() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let phone = Phone(radio: InMemoryRadio())
            _ = try await phone.launch(UndeclaredApp.self)
            _ = phone.asCurrent { ASAccessorySession() }
        }
        #expect(reason(result).contains("hil-app-crash: P1 "))
    }

    @Test("A service that is not declared ends the app at showPicker", .covers("P2"))
    func undeclaredService() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            let stand = try await SetupStand()
            let item = try stand.item()
            let other = ASDiscoveryDescriptor()
            other.bluetoothServiceUUID = CBUUID(string: "180F")
            let undeclared = ASPickerDisplayItem(
                name: "Battery", productImage: item.productImage, descriptor: other)
            stand.show(stand.session(), [item, undeclared])
        }
        #expect(reason(result).contains("hil-app-crash: P2 "))
    }
}
