/// A journey of phone and accessory that is to hold: a title, what is declared of it, its matrix, and its body.
///
/// `let foo = Scenario(…)` in any file of the folder `Scenarios` is found by that name.
public struct Scenario: Sendable {
    /// What a scenario does: steps and expectations. It runs on the main actor, as an app's own code does.
    public typealias Body = @MainActor @Sendable (Lab) async throws -> Void

    /// One sentence that says what holds; unique among all scenarios.
    package let title: String
    /// What is declared of it.
    package let traits: ScenarioTraits
    /// The cases of its matrix; exactly one, without a label, when it has no axes.
    package let cases: [ScenarioCase]
    /// Where it is declared.
    package let location: SourceLocation

    /// A scenario that runs once.
    public init(
        _ title: String, _ traits: ScenarioTrait..., fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, run body: @escaping Body
    ) {
        self.title = title
        self.traits = ScenarioTraits(traits)
        cases = [ScenarioCase(settings: [], body: body)]
        location = SourceLocation(file: fileID, path: filePath, line: line)
    }

    /// A scenario that runs once for every combination of its axes' values: `over: Axis("security", [WiFiSecurity.wpa2, .wpa3])`.
    ///
    /// - Parameters:
    ///   - axis: What varies. The last axis varies fastest.
    ///   - body: Gets the lab, and after it a value of each axis.
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

/// A scenario with the name of its declaration, as the generated list gives it.
public struct NamedScenario: Sendable {
    /// The name of the declaration: `newLampIsOnboarded`.
    package let name: String
    /// Its file, relative to the folder `Scenarios`: `Pairing/NewLampIsOnboarded.swift`.
    package let file: String
    package let scenario: Scenario

    public init(_ name: String, file: String, _ scenario: Scenario) {
        self.name = name
        self.file = file
        self.scenario = scenario
    }
}
