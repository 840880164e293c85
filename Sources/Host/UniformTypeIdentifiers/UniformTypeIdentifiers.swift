@_exported import HILUniformTypes
