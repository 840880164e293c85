import HILRecord

extension RunRecord {
    /// Which phones a run had, for people: what its scenarios chose, and the phone of the others. The stories say in what
    /// they differ from an iPhone of today.
    var phoneTexts: [String] {
        let begun = entries.filter { $0.began != nil }
        let names = begun.compactMap { entry in
            entry.phone.map { String($0.prefix { $0 != ";" }) } ?? otherPhone
        }
        var all: [String] = []
        for name in names where !all.contains(name) { all.append(name) }
        guard all.count > 1 else { return all }
        return all.map { name in "\(name), \(names.count { $0 == name }) of \(names.count)" }
    }

    /// The phone of a scenario that chose none; nil in records from before the phone had a Bluetooth host of its own.
    private var otherPhone: String? {
        guard format >= 7 else { return nil }
        return info?.rig.hasPrefix("hand,") == true ? "a phone in a person's hand" : "an iPhone of today"
    }
}
