import RadioModel

/// What a scenario's matrix may vary. A scenario without an axis for a value gets the one here.
public struct Conditions: Sendable {
    /// How the accessory's network keeps strangers out.
    public var security = WiFiSecurity.wpa2
    /// Between the boards, in metres.
    public var distance = 1.0
    /// What of the accessory's advertisement it is found by.
    public var by = DiscoveryTrait.service
    /// How the accessory agrees on keys for notifications.
    public var suite = SuiteTrait.xWing
    /// How a person says which of several namesakes is meant.
    public var choice = ChoiceTrait.address

    public init() {}
}

/// What of an accessory's advertisement a phone finds it by.
public enum DiscoveryTrait: String, Sendable, Hashable, CaseIterable {
    case service, company, serviceData, name
}

/// How an accessory agrees on keys for notifications.
public enum SuiteTrait: String, Sendable, Hashable, CaseIterable {
    case xWing, p256
}

/// What of an accessory a person names it by, where its name does not tell it from another one.
public enum ChoiceTrait: String, Sendable, Hashable, CaseIterable {
    case address, number
}

/// One value of the conditions and what it takes on, one case after the other.
public struct Axis: Sendable {
    struct Setting: Sendable {
        let name: String
        let value: String
        let apply: @Sendable (inout Conditions) -> Void
    }

    let settings: [Setting]

    /// - Parameters:
    ///   - path: The value that varies: `\.security`. Its name and the value's description name the case.
    ///   - values: What it takes on, in order.
    public init<Value: Sendable>(_ path: WritableKeyPath<Conditions, Value> & Sendable, _ values: [Value]) {
        // `\Conditions.security`: the part after the first dot.
        let name = String(path.debugDescription.drop { $0 != "." }.dropFirst())
        settings = values.map { value in
            Setting(name: name, value: String(describing: value)) { $0[keyPath: path] = value }
        }
    }
}

/// Collects the axes of a matrix.
@resultBuilder
public enum MatrixBuilder {
    public static func buildBlock(_ axes: Axis...) -> [Axis] { axes }
}

/// One combination of a matrix.
public struct ScenarioCase: Sendable {
    /// What the body gets.
    public let conditions: Conditions
    /// Names and values of what varies, in the order of the axes.
    public let settings: [(name: String, value: String)]

    /// For people, in brackets after a title: `security=wpa3, distance=10.0`; empty without axes.
    public var label: String { settings.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }

    /// Every combination of the axes' values; the last axis varies fastest.
    static func product(of axes: [Axis]) -> [ScenarioCase] {
        let start = [ScenarioCase(conditions: Conditions(), settings: [])]
        return axes.reduce(start) { cases, axis in
            cases.flatMap { one in
                axis.settings.map { setting in
                    var conditions = one.conditions
                    setting.apply(&conditions)
                    return ScenarioCase(
                        conditions: conditions, settings: one.settings + [(setting.name, setting.value)])
                }
            }
        }
    }
}
