import HILPhone

/// The parts of the app that Xcode would build: identifier, property lists, pictures, extensions.
extension DiceApp: AppUnderTest {
    package nonisolated static var bundle: AppBundle {
        AppBundle(identifier: "com.example.dice", folder: "\(repository)/Fixtures/DiceApp")
    }

    package nonisolated static var extensions: [Any.Type] {
        [DiceDataProvider.self, DiceTransport.self, DiceTransportSecurity.self]
    }

    /// The folder four levels above this file.
    private nonisolated static var repository: String {
        #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
    }
}
