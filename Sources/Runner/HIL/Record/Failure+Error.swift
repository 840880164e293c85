import RadioModel
import RigModel

extension Failure {
    /// A thrown error as a failure: of the kind that it is, in its own words, or else by its type and values.
    package init(_ error: any Error, at location: SourceLocation? = nil) {
        let words = RigFailure(error)?.description ?? String(describing: error)
        let text = words.contains(" ") ? words : "\(type(of: error)): \(words)"
        self.init(Kind(of: error), text, at: location, basis: Basis(of: error))
    }
}

extension Failure.Kind {
    /// Whose fault a thrown error is.
    package init(of error: any Error) { self = RigFailure(error) == nil ? .product : .rig }
}
