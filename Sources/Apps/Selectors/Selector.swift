import Foundation

/// A method to call on an object later, as `#selector` names one on Apple's systems.
///
/// The plugin `AppleSources` writes these where an app has `#selector`. Source: ObjectiveC, `Selector`.
public struct Selector: Hashable, CustomStringConvertible {
    /// The method's name and labels in Swift, with its type: `Die.roll(_:)`.
    public let description: String
    private let isUnderstood: (AnyObject) -> Bool
    private let call: (AnyObject, Any?) -> Void

    private init<Target: AnyObject>(_ name: String, _ type: Target.Type, _ call: @escaping (Target, Any?) -> Void) {
        description = "\(type).\(name)"
        isUnderstood = { $0 is Target }
        self.call = { object, argument in if let target = object as? Target { call(target, argument) } }
    }

    /// A method without parameters.
    public init<Target: AnyObject, Result>(_ name: String, _ method: @escaping (Target) -> () -> Result) {
        self.init(name, Target.self) { target, _ in _ = method(target)() }
    }

    /// A method with one parameter. Calling it with a value of another type ends the program.
    public init<Target: AnyObject, Argument, Result>(
        _ name: String, _ method: @escaping (Target) -> (Argument) -> Result
    ) {
        self.init(name, Target.self) { target, argument in _ = method(target)(Self.cast(argument, for: name)) }
    }

    /// A method of the main actor without parameters.
    @_disfavoredOverload
    public init<Target: AnyObject, Result>(
        _ name: String, _ method: @escaping @MainActor (Target) -> @MainActor () -> Result
    ) {
        // A selector knows no actors, on Apple's systems as well: the caller must use the right thread.
        self.init(name, unsafeBitCast(method, to: ((Target) -> () -> Result).self))
    }

    /// A method of the main actor with one parameter. Calling it with a value of another type ends the program.
    @_disfavoredOverload
    public init<Target: AnyObject, Argument, Result>(
        _ name: String, _ method: @escaping @MainActor (Target) -> @MainActor (Argument) -> Result
    ) {
        self.init(name, unsafeBitCast(method, to: ((Target) -> (Argument) -> Result).self))
    }

    /// A method of a type, without parameters.
    @_disfavoredOverload
    public init<Result>(_ name: String, _ method: @escaping () -> Result) {
        description = name
        isUnderstood = { _ in true }
        call = { _, _ in _ = method() }
    }

    /// A method of a type, with one parameter. Calling it with a value of another type ends the program.
    @_disfavoredOverload
    public init<Argument, Result>(_ name: String, _ method: @escaping (Argument) -> Result) {
        description = name
        isUnderstood = { _ in true }
        call = { _, argument in _ = method(Self.cast(argument, for: name)) }
    }

    private static func cast<Argument>(_ value: Any?, for name: String) -> Argument {
        if let argument = value as? Argument { return argument }
        fatalError("the method \(name) was called with \(value.map { "\($0)" } ?? "nil"), not with \(Argument.self)")
    }

    /// Whether an object has the method.
    func isUnderstood(by object: AnyObject) -> Bool { isUnderstood(object) }

    /// Calls the method of an object. Ends the program if the object has no such method, as Apple's systems do.
    func perform(on object: AnyObject, with argument: Any? = nil) {
        guard isUnderstood(object) else {
            fatalError("-[\(type(of: object)) \(description)]: unrecognized selector sent to instance")
        }
        call(object, argument)
    }

    public static func == (one: Self, other: Self) -> Bool { one.description == other.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
