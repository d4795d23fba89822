/// The scripts that change a resource's two hashes atomically: the heads (`KEYS[1]`) and the larger contents
/// (`KEYS[2]`).
///
/// A head's value begins with its response's identifier, which is also the content's field.
enum RedisCacheScript {
    /// The length of an identifier in bytes.
    static let nameLength = 16
    /// The suffix of the field of a part.
    static let partSuffix = "/part"
    /// The maximum number of variants of one resource.
    static let variantLimit = 32

    private static let drop = """
        local function drop(field)
            local old = redis.call('HGET', KEYS[1], field)
            if old then
                redis.call('HDEL', KEYS[1], field)
                redis.call('HDEL', KEYS[2], string.sub(old, 1, \(nameLength)))
            end
        end
        """

    /// Sets the expiry of both hashes to that of their longest-lived response.
    private static let expire = """
        local function expire(milliseconds)
            local longest = math.max(redis.call('PTTL', KEYS[1]), tonumber(milliseconds))
            redis.call('PEXPIRE', KEYS[1], longest)
            redis.call('PEXPIRE', KEYS[2], longest)
        end
        """

    /// Stores a response. Arguments: variant, whether it is a part, identifier, head, milliseconds to keep it, content
    /// or nothing. A complete response also replaces a part.
    static let insert =
        drop + "\n" + expire + "\n" + """
            local field = ARGV[1]
            if ARGV[2] == '1' then field = field .. '\(partSuffix)' end
            drop(ARGV[1] .. '\(partSuffix)')
            if ARGV[2] == '0' then drop(ARGV[1]) end
            local fields = redis.call('HKEYS', KEYS[1])
            if #fields >= \(variantLimit) then drop(fields[1]) end
            redis.call('HSET', KEYS[1], field, ARGV[4])
            if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], ARGV[3], ARGV[6]) end
            expire(ARGV[5])
            """

    /// Replaces a head if its response is still stored. Arguments: field, identifier, value, milliseconds to keep it.
    static let update =
        expire + "\n" + """
            local old = redis.call('HGET', KEYS[1], ARGV[1])
            if old and string.sub(old, 1, \(nameLength)) == ARGV[2] then
                redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
                expire(ARGV[4])
            end
            """

    /// Removes a response if it is still stored. Arguments: field, identifier.
    static let remove =
        drop + "\n" + """
            local old = redis.call('HGET', KEYS[1], ARGV[1])
            if old and string.sub(old, 1, \(nameLength)) == ARGV[2] then drop(ARGV[1]) end
            """
}
