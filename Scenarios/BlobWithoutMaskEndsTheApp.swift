import AccessorySetupKit
import DiceApp
import Foundation
import HIL
import Phone

/// A blob and its mask come together.
let blobWithoutMaskEndsTheApp = Scenario(
    "A descriptor with a blob and no mask ends the app", .tags(.discovery), .covers("D2"),
    .crashes(because: "needs a blob and a mask of equal length")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item { $0.bluetoothServiceDataBlob = Data([1]) }
    try await app.session.showPicker(for: [item])
}
