import RigModel

/// One dimension of a scenario's matrix: a name and its values. The scenario runs once for each value.
///
/// ```swift
/// let lampIsJoined = Scenario("A lamp is joined", over: Axis("security", [WiFiSecurity.wpa2, .wpa3])) { lab, security in … }
/// ```
///
/// If its values are systems (`BoardSystem`), each case's accessory board has that system:
///
/// ```swift
/// let lampIsPaired = Scenario("A lamp is paired", over: Axis("accessory", [BoardSystem.debian12, .debian13])) { lab, _ in … }
/// ```
///
/// If its values are choices of the phone's policy (`PolicyChoice`), the phone of each case makes that choice:
///
/// ```swift
/// let lampIsAdded = Scenario("A lamp is added", over: Axis.pickerEnd) { lab, _ in … }
/// ```
public struct Axis<Value: Sendable>: Sendable {
    /// The name in `--where` and in reports: `security`.
    let name: String
    let values: [Value]
    /// The names of the values in `--where` and in reports.
    let labels: [String]

    /// - Parameters:
    ///   - name: What varies, in one word: `security`. It names the case, together with the value's label.
    ///   - values: One or more values. An empty list is an error of the program.
    ///   - label: Returns the name of a value; by default its description. At most 60 characters are used. Letters,
    ///     digits and `.+-_` stay; any other character becomes a dash. Two values with the same label are an error when
    ///     scenarios are listed.
    public init(_ name: String, _ values: [Value], label: (Value) -> String = { String(describing: $0) }) {
        precondition(!values.isEmpty, "the axis “\(name)” has no values, so its scenario would never run")
        self.name = Self.plain(name)
        self.values = values
        labels = values.map { Self.plain(label($0)) }
    }

    /// The most characters of a label.
    private static var longestLabel: Int { 60 }

    private static func plain(_ text: String) -> String {
        String(text.prefix(longestLabel).map { $0.isLetter || $0.isNumber || ".+-_".contains($0) ? $0 : "-" })
    }
}

/// One combination of the values of a scenario's matrix.
package struct ScenarioCase: Sendable {
    /// The names of the axes and the labels of their values, in the order of the axes.
    package let settings: [(name: String, value: String)]
    /// The values by the names of their axes.
    let values: [String: any Sendable]
    /// The accessory board's system, if an axis has systems as its values; else nil.
    package let system: BoardSystem?
    /// The scenario's body, with these values.
    let body: Scenario.Body

    init(
        settings: [(name: String, value: String)], values: [String: any Sendable] = [:], system: BoardSystem? = nil,
        body: @escaping Scenario.Body
    ) {
        (self.settings, self.values, self.system, self.body) = (settings, values, system, body)
    }

    /// The combination for people: `security=wpa3,distance=10.0`. Reports show it in brackets after the title. Empty
    /// without axes.
    package var label: String { settings.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }

    /// Every combination of the axes' values; the last axis varies fastest.
    static func product<each Value: Sendable>(
        of axis: repeat Axis<each Value>,
        run body: @escaping @MainActor @Sendable (Lab, repeat each Value) async throws -> Void
    ) -> [ScenarioCase] {
        var counts: [Int] = []
        for axis in repeat each axis { counts.append(axis.values.count) }
        return (0..<counts.reduce(1, *)).map { number in
            // The digits of the case's number say which value each axis has.
            var (digits, rest) = (counts, number)
            for place in counts.indices.reversed() {
                (rest, digits[place]) = rest.quotientAndRemainder(dividingBy: counts[place])
            }
            var settings: [(name: String, value: String)] = []
            var named: [String: any Sendable] = [:]
            var system: BoardSystem?
            var choices: [any PolicyChoice] = []
            func pick<One>(_ axis: Axis<One>) -> One {
                let digit = digits[settings.count]
                settings.append((axis.name, axis.labels[digit]))
                let value = axis.values[digit]
                named[axis.name] = value
                // Known before the rig starts, because its boards are made for it.
                if let chosen = value as? BoardSystem { system = chosen }
                if let choice = value as? any PolicyChoice { choices.append(choice) }
                return value
            }
            let values = (repeat pick(each axis))
            return ScenarioCase(settings: settings, values: named, system: system) { [choices] lab in
                for choice in choices { choice.choose(in: &lab.phone.policy) }
                try await body(lab, repeat each values)
            }
        }
    }
}

extension Lab {
    /// The value of an axis in the case that runs, for code that gets no values: what a person does next in an exploration,
    /// what must hold then, a team's fault.
    ///
    /// ```swift
    /// let security = Axis("security", [WiFiSecurity.wpa2, .wpa3])
    /// let lampIsJoined = Scenario(
    ///     "A lamp is joined", .explores(recovery: { lab in try await lab.join(lab.value(of: security)) }), over: security
    /// ) { lab, security in … }
    /// ```
    ///
    /// - Throws: An error that says so if the scenario does not run over this axis.
    public func value<Value>(of axis: Axis<Value>) throws -> Value {
        guard let value = axisValues[axis.name] as? Value else { throw NoSuchAxis(name: axis.name, Value.self) }
        return value
    }
}

/// A scenario asks for the value of an axis that it does not run over.
private struct NoSuchAxis: Error, CustomStringConvertible {
    let description: String

    init<Value>(name: String, _ type: Value.Type) {
        description = "this scenario does not run over an axis “\(name)” of \(type): declare it with over:"
    }
}
