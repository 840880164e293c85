import HILRecord

/// A test of phone and accessory together: a title, traits, perhaps a matrix of values, and a body.
///
/// `let foo = Scenario(…)` in any file of the folder `Scenarios` declares the scenario `foo`; `hil run foo` runs it.
public struct Scenario: Sendable {
    /// The code of a scenario: steps and expectations. It runs on the main actor, as most code of an app does.
    public typealias Body = @MainActor @Sendable (Lab) async throws -> Void

    /// One sentence that says what should hold. It is unique among all scenarios.
    package let title: String
    /// Its tags, rules, budget and other declarations.
    package let traits: ScenarioTraits
    /// The cases of its matrix; exactly one, without a label, when it has no axes.
    package let cases: [ScenarioCase]
    /// The line of its declaration.
    package let location: SourceLocation

    init(title: String, traits: ScenarioTraits, cases: [ScenarioCase], location: SourceLocation) {
        (self.title, self.traits, self.cases, self.location) = (title, traits, cases, location)
    }

    /// Declares a scenario that runs once.
    ///
    /// - Parameters:
    ///   - title: One sentence that says what should hold. It must be unique among all scenarios.
    ///   - traits: Tags, rules, budget and other declarations.
    ///   - body: Gets the lab. An error that it throws is a failure.
    public init(
        _ title: String, _ traits: ScenarioTrait..., fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, run body: @escaping Body
    ) {
        self.title = title
        self.traits = ScenarioTraits(traits)
        cases = [ScenarioCase(settings: [], body: body)]
        location = SourceLocation(file: fileID, path: filePath, line: line)
    }

    /// Declares a scenario that runs once for each combination of its axes' values.
    ///
    /// For example `over: Axis("security", [WiFiSecurity.wpa2, .wpa3])`.
    ///
    /// - Parameters:
    ///   - title: One sentence that says what should hold. It must be unique among all scenarios.
    ///   - traits: Tags, rules, budget and other declarations.
    ///   - axis: The axes. The last one varies fastest.
    ///   - body: Gets the lab, and then one value of each axis. An error that it throws is a failure.
    public init<each Value: Sendable>(
        _ title: String, _ traits: ScenarioTrait..., over axis: repeat Axis<each Value>, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line,
        run body: @escaping @MainActor @Sendable (Lab, repeat each Value) async throws -> Void
    ) {
        self.title = title
        self.traits = ScenarioTraits(traits)
        cases = ScenarioCase.product(of: repeat each axis, run: body)
        location = SourceLocation(file: fileID, path: filePath, line: line)
    }
}

/// A scenario with the name of its declaration. The plugin `ScenarioList` generates an array of these.
///
/// A class, because lists of thousands of scenarios are copied and sorted.
public final class NamedScenario: Sendable {
    /// The name of the declaration: `newLampIsOnboarded`.
    package let name: String
    /// Its file, relative to the folder `Scenarios`: `Pairing/NewLampIsOnboarded.swift`.
    package let file: String
    package let scenario: Scenario
    /// The accessory that an audit attacks by its name; nil for a scenario of the team.
    package let accessory: NamedAccessory?

    /// Takes the constant's name, and its file as a path below the folder `Scenarios`.
    public convenience init(_ name: String, file: String, _ scenario: Scenario) {
        self.init(name, file: file, scenario, accessory: nil)
    }

    package init(_ name: String, file: String, _ scenario: Scenario, accessory: NamedAccessory?) {
        self.name = name
        self.file = file
        self.scenario = scenario
        self.accessory = accessory
    }
}
