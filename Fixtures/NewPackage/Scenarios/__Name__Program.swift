import Foundation
import HIL
import __Name__App

/// The folder of this package.
private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

extension __Name__App: AppUnderTest {
    /// What Xcode would put into the app's bundle: its Info.plist and pictures.
    public nonisolated static var bundle: AppBundle {
        AppBundle(identifier: "com.example.__name__", folder: "\(package)/App")
    }
}
