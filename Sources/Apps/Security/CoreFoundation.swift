import Foundation

// Core Foundation's types are Foundation's here, so that casts such as `query as CFDictionary` compile.

public typealias CFDictionary = [String: Any]
public typealias CFBoolean = Bool
public typealias CFNumber = NSNumber
public typealias CFDate = Date
public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false
