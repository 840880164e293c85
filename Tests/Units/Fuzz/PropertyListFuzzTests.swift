import Foundation
import HILPhone
import Testing

/// The property lists of an app: for any bytes, the reader and the check report errors and never trap.
@Suite(.serialized)
struct PropertyListFuzzTests {
    @Test("A broken property list is an error or a list, and every finding has a rule")
    func propertyLists() async throws {
        let root: [String: Any] = [
            "NSAccessorySetupSupports": ["Bluetooth", "WiFi"], "NSAccessorySetupBluetoothServices": ["180F", "d1ce"],
            "NSAccessorySetupBluetoothNames": ["Die"],
            "NSAccessorySetupBluetoothCompanyIdentifiers": ["004C", 7] as [Any],
        ]
        let corpus = try [PropertyListSerialization.PropertyListFormat.xml, .binary].map {
            Array(try PropertyListSerialization.data(fromPropertyList: root, format: $0, options: 0))
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-fuzz-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await Fuzzer(corpus: corpus).run("property lists") { bytes, _ in
            for name in ["Info.plist", "App.entitlements"] {
                try Data(bytes).write(to: folder.appendingPathComponent(name))
            }
            let path = folder.appendingPathComponent("Info.plist").path
            do { _ = try AppPropertyList(contentsOf: path) } catch {
                guard "\(error)".contains(path) else { throw Fuzzer.Finding("the error names no file: \(error)") }
            }
            let findings = AppCheck.findings(inFolder: folder.path)
            guard findings.allSatisfy({ !$0.rule.isEmpty && !$0.text.isEmpty }) else {
                throw Fuzzer.Finding("a finding says nothing")
            }
        }
    }
}
