/// Lists of attributes, sorted by handle.
extension Array where Element: CBAttribute {
    /// The list with attributes that were discovered, in place of others with the same handles.
    ///
    /// - Parameters:
    ///   - isAll: Whether these are all, so that the others are gone.
    ///   - handle: Gives an attribute's handle.
    func replaced(by found: [Element], isAll: Bool, _ handle: (Element) -> UInt16) -> [Element] {
        guard !isAll else { return found }
        let handles = Set(found.map(handle))
        return (filter { !handles.contains(handle($0)) } + found).sorted { handle($0) < handle($1) }
    }
}
