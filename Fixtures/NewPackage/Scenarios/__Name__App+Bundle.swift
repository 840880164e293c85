import Foundation
import HIL
import __Name__App

extension __Name__App: AppUnderTest {
    /// What Xcode would put into the app's bundle: its Info.plist and pictures.
    public nonisolated static var bundle: AppBundle {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return AppBundle(identifier: "com.example.__name__", folder: package.appendingPathComponent("App").path)
    }
}
