import Synchronization

/// A team's names for its UUIDs. All texts for people in this process use them.
package enum UUIDNames {
    private static let names = Mutex<[BluetoothUUID: String]>([:])

    /// Adds names. A process does so once, when it begins.
    ///
    /// - Parameter known: By UUID, in any spelling. Other keys are left out.
    package static func learn(_ known: [String: String]) {
        names.withLock { names in
            for (text, name) in known {
                if let uuid = BluetoothUUID(text) { names[uuid] = name }
            }
        }
    }

    fileprivate static subscript(uuid: BluetoothUUID) -> String? { names.withLock { $0[uuid] } }
}

extension BluetoothUUID {
    /// For people: the team's name and the first digits, `colour (4C410002)`; without a name as apps write it.
    package var namedText: String {
        UUIDNames[self].map { "\($0) (\(shortText.prefix(8)))" } ?? shortText
    }
}
