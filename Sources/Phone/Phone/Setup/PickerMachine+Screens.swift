extension PickerMachine {
    /// The list of the accessories found so far.
    var picker: Screen {
        var screen = Screen(
            .picker, title: "Finding Accessories", lines: missingRadios, entries: visibleEntries.map(shown),
            controls: [.pick, .cancel])
        guard let first = screen.entries.first else { return screen }
        // By name if that chooses the first entry, because a log with names is easier to read.
        let name = first.detail.isEmpty ? first.title : first.detail
        screen.willing = .pick(screen.index(of: .named(name)) == 0 ? .named(name) : .number(1))
        return screen
    }

    var nothingFound: Screen {
        Screen(
            .discoveryTimeout, title: "No Accessory Found",
            lines: ["Make sure that the accessory is switched on and nearby."], controls: [.done], willing: .done)
    }

    func settingUp(_ entry: Entry, _ what: String) -> Screen {
        Screen(
            .settingUp, title: "Setting Up “\(entry.item.name)”", lines: [what], entries: [shown(entry)],
            controls: [.cancel])
    }

    func naming(_ record: AccessoryRecord) -> Screen {
        Screen(
            .rename, title: "Name Your Accessory", lines: [record.displayName], controls: [.rename, .cancel],
            willing: .rename(record.displayName))
    }

    func ready(_ entry: Entry, _ record: AccessoryRecord) -> Screen {
        let goesOn = entry.item.setupOptions.contains(.finishInApp)
        return Screen(
            .setupComplete, title: "“\(record.displayName)” Is Ready",
            lines: goesOn ? ["Finish the setup in the app."] : [], entries: [shown(entry)], controls: [.done],
            willing: .done)
    }

    func failed(_ entry: Entry) -> Screen {
        Screen(
            .setupFailed, title: "Setup Failed", lines: ["“\(entry.item.name)” could not be set up."],
            entries: [shown(entry)], controls: [.done], willing: .done)
    }

    private func shown(_ entry: Entry) -> Screen.Entry {
        Screen.Entry(
            title: entry.item.name, detail: entry.name, picture: entry.item.picture?.path, id: entry.id,
            address: entry.address, signal: entry.signal)
    }
}
