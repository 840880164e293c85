import HILRecord
import RadioModel
import RigModel

extension Failure {
    /// Makes a failure of a thrown error. Its message is the error's description; if that is one word, with the type
    /// before it.
    package init(_ error: any Error, at location: SourceLocation? = nil) {
        if let error = error as? BoardsNotPristine {
            self.init(.rig, error.failure.description, at: location, finding: error.finding)
            return
        }
        let words = RigFailure(error)?.description ?? String(describing: error)
        let text = words.contains(" ") ? words : "\(type(of: error)): \(words)"
        self.init(Kind(of: error), text, at: location)
        if let overrun = error as? StepOverran { waited = overrun.budget.seconds }
    }
}

/// The boards of a new rig are not in their original state.
struct BoardsNotPristine: Error {
    let failure: RigFailure
    let finding: Finding?
}

extension Failure.Kind {
    /// Whose fault a thrown error is: the rig's if it is a failure of the rig, else the product's.
    package init(of error: any Error) {
        self = error is BoardsNotPristine || RigFailure(error) != nil ? .rig : .product
    }
}
