import LifecycleModel
import LogReading
import TraceStore

extension LifeStatsError {
    /// Runs something, and words the errors of the stages for people.
    static func translated<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as LifeStatsError {
            throw error
        } catch let error as StoreError {
            throw LifeStatsError(error.description)
        } catch let error as ReadingError {
            throw LifeStatsError(error.description)
        } catch let error as LayoutError {
            throw LifeStatsError(error.description)
        } catch let error as ModelError {
            throw LifeStatsError(error.description)
        } catch {
            throw LifeStatsError("\(error)")
        }
    }
}
