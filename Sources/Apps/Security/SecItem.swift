import Foundation

// The keychain, as apps call it. Items are kept in the phone's memory, by the app's access group. Passwords and certificates
// are kept; keys and identities are not simulated: errSecUnimplemented. Source: Security, SecItem.h.

private func status(_ body: () throws(KeychainError) -> Void) -> OSStatus {
    do {
        try body()
        return errSecSuccess
    } catch { return error.code }
}

/// Adds an item.
///
/// - Parameters:
///   - attributes: The item's class, attributes and data, and what to return.
///   - result: Gets what the dictionary asks for, if the call succeeds.
/// - Returns: ``errSecSuccess``, ``errSecDuplicateItem``, ``errSecParam``, ``errSecMissingEntitlement`` for an access group
///   that is not the app's, or ``errSecUnimplemented``.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    status { () throws(KeychainError) in
        let answer = try Keychain.current.add(try KeychainQuery(attributes))
        result?.pointee = answer
    }
}

/// Adds an item, for a result of the type `AnyObject`.
@_disfavoredOverload
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    status { () throws(KeychainError) in
        let answer = try Keychain.current.add(try KeychainQuery(attributes))
        result?.pointee = answer.map { $0 as AnyObject }
    }
}

/// Finds items: one, unless the query has ``kSecMatchLimit``.
///
/// - Parameters:
///   - query: The criteria for the items, and the parts to return: their data, attributes, or both.
///   - result: Gets the data or a dictionary; an array of these for more than one.
/// - Returns: ``errSecSuccess``, ``errSecItemNotFound``, or as ``SecItemAdd(_:_:)``.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    status { () throws(KeychainError) in
        let answer = try Keychain.current.copy(try KeychainQuery(query))
        result?.pointee = answer
    }
}

/// Finds items, for a result of the type `AnyObject`.
@_disfavoredOverload
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    status { () throws(KeychainError) in
        let answer = try Keychain.current.copy(try KeychainQuery(query))
        result?.pointee = answer.map { $0 as AnyObject }
    }
}

/// Changes all items that a query selects.
///
/// - Returns: ``errSecSuccess``, ``errSecItemNotFound``, ``errSecDuplicateItem``, or as ``SecItemAdd(_:_:)``.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    status { () throws(KeychainError) in
        try Keychain.current.update(try KeychainQuery(query), with: try KeychainQuery(attributesToUpdate))
    }
}

/// Deletes all items that a query selects.
///
/// - Returns: ``errSecSuccess``, ``errSecItemNotFound``, or as ``SecItemAdd(_:_:)``.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    status { () throws(KeychainError) in try Keychain.current.delete(try KeychainQuery(query)) }
}

// On Apple's systems an `NSDictionary` is a `CFDictionary`.

extension NSDictionary {
    /// The same, as a query for the keychain.
    fileprivate var query: CFDictionary {
        var query: CFDictionary = [:]
        for (key, value) in self { if let key = key as? String { query[key] = value } }
        return query
    }
}

/// Adds an item, as an `NSDictionary` describes it.
@_disfavoredOverload
public func SecItemAdd(_ attributes: NSDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SecItemAdd(attributes.query, result)
}

/// Finds items, as an `NSDictionary` describes them.
@_disfavoredOverload
public func SecItemCopyMatching(_ query: NSDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SecItemCopyMatching(query.query, result)
}

/// Finds items, as an `NSDictionary` describes them, for a result of the type `AnyObject`.
@_disfavoredOverload
public func SecItemCopyMatching(_ query: NSDictionary, _ result: UnsafeMutablePointer<AnyObject?>) -> OSStatus {
    SecItemCopyMatching(query.query, result)
}

/// Changes items, as an `NSDictionary` describes them.
@_disfavoredOverload
public func SecItemUpdate(_ query: NSDictionary, _ attributesToUpdate: NSDictionary) -> OSStatus {
    SecItemUpdate(query.query, attributesToUpdate.query)
}

/// Deletes items, as an `NSDictionary` describes them.
@_disfavoredOverload
@discardableResult
public func SecItemDelete(_ query: NSDictionary) -> OSStatus { SecItemDelete(query.query) }
