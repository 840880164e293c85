import AccessorySetupKit
import DiceApp
import DieProtocol

extension ASMigrationDisplayItem {
    /// The die, as an app shows it that had it before.
    @MainActor static func oldDie() throws -> ASMigrationDisplayItem {
        guard let picture = UIImage(named: "die") else { throw DiceAppError.missing("the picture “die”") }
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
        return ASMigrationDisplayItem(name: "My Old Die", productImage: picture, descriptor: descriptor)
    }
}
