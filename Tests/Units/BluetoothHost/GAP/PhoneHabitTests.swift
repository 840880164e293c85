import Testing

@testable import HILBluetoothHost

@Suite("The sources of the phone's behaviours")
struct PhoneHabitTests {
    /// Whether a value has a property of this path.
    private func has(_ path: [Substring], in value: Any) -> Bool {
        guard let name = path.first else { return true }
        guard let child = Mirror(reflecting: value).children.first(where: { $0.label == String(name) }) else {
            return false
        }
        return has(Array(path.dropFirst()), in: child.value)
    }

    @Test("Each behaviour is a property of the phone's Bluetooth, once")
    func paths() {
        for habit in PhoneHabit.iPhone {
            #expect(has(habit.path.split(separator: "."), in: HostPersonality.iPhone), "\(habit.path)")
        }
        #expect(Set(PhoneHabit.iPhone.map(\.path)).count == PhoneHabit.iPhone.count)
    }

    @Test("What is documented, seen or learned names its source")
    func references() {
        for habit in PhoneHabit.iPhone where habit.source != .assumed {
            #expect(habit.reference?.isEmpty == false, "\(habit.path)")
        }
    }

    @Test(
        "Each behaviour of a model is a property of the phone's Bluetooth, names its model, and has a source or is assumed"
    )
    func models() {
        for model in PhoneModel.all {
            #expect(model.habits.contains { $0.source != .assumed }, "\(model.name) ships without a source of its own")
            #expect(Set(model.habits.map(\.path)).count == model.habits.count)
            for habit in model.habits {
                #expect(
                    has(habit.path.split(separator: "."), in: HostPersonality.iPhone), "\(model.name): \(habit.path)")
                #expect(habit.model == model.identifier)
                #expect(habit.reference?.isEmpty == false, "\(model.name): \(habit.path)")
            }
        }
    }

    @Test("Each property of the link's procedures has a source")
    func procedures() {
        let known = Set(PhoneHabit.iPhone.map(\.path))
        for child in Mirror(reflecting: HostPersonality.iPhone.link).children {
            #expect(known.contains("link.\(child.label ?? "")"), "\(child.label ?? "")")
        }
    }
}
