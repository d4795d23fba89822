import AirframeCompression

var encoder = try ContentEncoder(.gzip)
print(try encoder.encode([1, 2, 3]).count + encoder.finish().count)
